// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/waits.hpp"

#include "kaon/runtime/pe/quiescence.hpp"

namespace kaon::chares {

bool QuiescenceWait::start(Waiter& waiter) {
  pe_.quiescence().await(waiter);
  return false;
}

void QuiescenceWait::give_up(Waiter& waiter) noexcept { pe_.quiescence().forget(waiter); }

}  // namespace kaon::chares
