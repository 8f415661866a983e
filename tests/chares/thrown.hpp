// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace kaon::testing {

/// What an action says when it throws an E; other exceptions pass, and without one the text is empty.
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
