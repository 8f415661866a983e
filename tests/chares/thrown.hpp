// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace kaon::testing {

/// The text of the E that an action throws, empty if it throws nothing. Other exceptions pass.
template <class E, class Action>
std::string thrown(Action action) {
  try {
    action();
    return {};
  } catch (const E& error) {
    return error.what();
  }
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace kaon::testing
