// SPDX-License-Identifier: Apache-2.0
// main's wait for a step of balancing.
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/migration/balancing_centre.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::chares {

bool StepWait::start(Waiter& waiter) {
  BalancingCentre& centre = *table_.find_part<Balancing>()->centre();
  waiter_ = &waiter;
  centre.begin(*this);
  centre_ = &centre;
  return false;
}

void StepWait::give_up(Waiter&) noexcept {
  if (centre_ != nullptr) centre_->forget(*this);
}

void StepWait::end() {
  centre_ = nullptr;
  waiter_->resume_soon();
}

}  // namespace kaon::chares
