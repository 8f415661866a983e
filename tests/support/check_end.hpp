// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace kaon::testing {

/// Checks with what code a program has ended, and that its output has these texts. Returns it.
template <class Ended>
Ended check_end(Ended ended, int code, const std::vector<std::string>& texts = {}) {
  INFO(ended.text);
  CHECK(ended.code == code);
  for (const std::string& text : texts) CHECK_THAT(ended.text, contains_text(text));
  return ended;
}

}  // namespace kaon::testing
