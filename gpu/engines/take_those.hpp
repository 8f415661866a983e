// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <deque>
#include <vector>

namespace kaon::gpu {

/// Looks once at each that waits, in their order, and goes on with those for which that is over: they may end then.
/// True when there were some.
template <class Transfer>
bool take_those(std::vector<Transfer*>& waiting, bool (Transfer::*is_over)(), void (Transfer::*go_on)()) {
  bool has_some = false;
  for (std::size_t i = 0; i < waiting.size();) {
    Transfer& transfer = *waiting[i];
    if (!(transfer.*is_over)()) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    (transfer.*go_on)();
    has_some = true;
  }
  return has_some;
}

/// Posts the notices of those that wait for room on the board, in their order, as far as there is some. True when there
/// was.
template <class Send>
bool post_those(std::deque<Send*>& unposted) {
  bool has_some = false;
  while (!unposted.empty() && unposted.front()->post()) {
    unposted.pop_front();
    has_some = true;
  }
  return has_some;
}

}  // namespace kaon::gpu
