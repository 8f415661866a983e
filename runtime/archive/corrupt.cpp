// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/archive/corrupt.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime::archive {
namespace {

constexpr const char* kAdvice =
    "; check that each pup reads what it wrote, and that all processes run the same program";

}  // namespace

void throw_truncated(std::size_t wanted, std::size_t remaining) {
  throw CorruptMessage("a message ends too early: " + std::to_string(wanted) + " more bytes are read where " +
                       std::to_string(remaining) + " remain" + kAdvice);
}

void throw_count(std::size_t claimed, std::size_t remaining) {
  throw CorruptMessage("a message claims " + std::to_string(claimed) + " elements in its last " +
                       std::to_string(remaining) + " bytes" + kAdvice);
}

void throw_value(const char* what) { throw CorruptMessage(std::string("a message holds ") + what + kAdvice); }

void throw_nested_too_deep() {
  throw UsageError(
      "an argument nests containers or pointers more than 1000 deep, which no other process could receive: send it "
      "flat, as a "
      "vector whose elements name each other by their places");
}

}  // namespace kaon::runtime::archive
