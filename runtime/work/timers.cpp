// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/timers.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace kaon::runtime {

struct Timers::Waiting : std::set<std::pair<Time, Work*>> {};

Timers::Timers() noexcept = default;
Timers::~Timers() = default;

// A time that never comes is no sign that there is none.
void Timers::add(Time when, Work& work) {
  if (waiting_ == nullptr) waiting_ = std::make_unique<Waiting>();
  waiting_->emplace(when, &work);
  look_at_first();
}

void Timers::remove(Time when, Work& work) {
  if (waiting_ == nullptr) return;
  waiting_->erase({when, &work});
  look_at_first();
}

Work* Timers::take_first() {
  Work* work = waiting_->begin()->second;
  waiting_->erase(waiting_->begin());
  look_at_first();
  return work;
}

void Timers::look_at_first() {
  constexpr Time kLast = Time::max() - Time::duration(1);
  next_ = waiting_->empty() ? Time::max() : std::min(waiting_->begin()->first, kLast);
}

}  // namespace kaon::runtime
