// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>

#include "kaon/ampi_shim/program/libc_state.hpp"

// Whose function this is. A thread that no rank runs on, such as one of a library's or one that a signal interrupted,
// gets what is the process' own.
namespace kaon::ampi {

LibcState& caller_state();
FILE* caller_input();
FILE* caller_output();
FILE* caller_error();
void flush_caller();
/// The name of the caller's program: as it was started, and without its folder.
const char* caller_name();
const char* caller_short_name();

}  // namespace kaon::ampi
