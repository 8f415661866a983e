// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/backpressure.hpp"

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/exchange/neighbours.hpp"

namespace kaon::runtime {

bool Backpressure::is_congested(PeId to) {
  if (to == here_) return own_.is_congested();
  return is_of_process(to) ? neighbours_.is_congested(to - first_) : exchange_.outbox(to).is_congested();
}

void Backpressure::await_room(PeId to, Waiter& waiter) {
  if (to == here_)
    own_.await(waiter);
  else if (is_of_process(to))
    neighbours_.await_room(to - first_, waiter);
  else
    exchange_.outbox(to).await_room(waiter);
}

void Backpressure::forget_waiter(PeId to, Waiter& waiter) {
  if (to == here_)
    own_.forget(waiter);
  else if (is_of_process(to))
    neighbours_.forget_waiter(to - first_, waiter);
  else
    exchange_.outbox(to).forget_waiter(waiter);
}

}  // namespace kaon::runtime
