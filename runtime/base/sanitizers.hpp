// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"

// Macros that a program and the library may have of their own must change nothing in what both have; this one does.
#if defined(_GLIBCXX_DEBUG)
#error "Kaon is built without _GLIBCXX_DEBUG, which makes other containers: define _GLIBCXX_ASSERTIONS instead"
#endif

namespace kaon::runtime {

/// True if AddressSanitizer is in this process. A program may be compiled with it and the library without, or the other
/// way round. So whatever both must agree on depends on this function and not on a macro.
bool has_address_sanitizer() noexcept;

/// For AddressSanitizer, if it is here: memory that was mapped anew has none of the marks of what lay there before.
void forget_marks(const void* memory, std::size_t bytes) noexcept;

/// A warning for programs that were compiled with a sanitizer that only works when the library was, too; empty when
/// there is nothing to warn of.
std::string warning_of_sanitizers();

}  // namespace kaon::runtime
