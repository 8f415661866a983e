// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "kaon/ampi_shim/program/hooks.hpp"

namespace kaon::ampi {

/// True if the libraries of this process call our pthread_create, or our _dl_find_object. They do when the linker of
/// this executable has exported them, which it does by itself as libraries name them.
bool sees_new_threads();
bool sees_exceptions();

/// Threads that programs have made are left: they may run code of any image and any library, whose memory has to stay
/// until the process ends, as it does where a program has a process of its own. Any thread.
bool are_threads_left() noexcept;

/// The same two for a program that calls them itself, as C programs and those with a static libgcc do.
std::span<const Replacement> interposed_functions();

}  // namespace kaon::ampi
