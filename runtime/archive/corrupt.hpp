// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kaon/runtime/base/error.hpp"

// Where reading ends when bytes make no sense. Out of line and cold: the readers that call them stay small.
namespace kaon::runtime::archive {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_truncated(std::size_t wanted, std::size_t remaining) {
  throw CorruptMessage("a message ends too early: " + std::to_string(wanted) + " more bytes are read where " +
                       std::to_string(remaining) +
                       " remain; check that each pup reads what it wrote, and that all processes run the same program");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_count(std::size_t claimed, std::size_t remaining) {
  throw CorruptMessage("a message claims " + std::to_string(claimed) + " elements in its last " +
                       std::to_string(remaining) +
                       " bytes; check that each pup reads what it wrote, and that all processes run the same program");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_value(const char* what) {
  throw CorruptMessage(std::string("a message holds ") + what +
                       "; check that each pup reads what it wrote, and that all processes run the same program");
}

}  // namespace kaon::runtime::archive
