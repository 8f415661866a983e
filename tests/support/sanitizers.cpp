// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sanitizers.hpp"

// Of the sanitizer's run-time library; nothing in other builds.
extern "C" {
[[gnu::weak]] void __lsan_disable();
[[gnu::weak]] void __lsan_enable();
}

namespace kaon::testing {

IgnoreLeaks::IgnoreLeaks() {
  if (kHasAddressSanitizer && __lsan_disable != nullptr) __lsan_disable();
}

IgnoreLeaks::~IgnoreLeaks() {
  if (kHasAddressSanitizer && __lsan_enable != nullptr) __lsan_enable();
}

}  // namespace kaon::testing
