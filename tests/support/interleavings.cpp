// SPDX-License-Identifier: Apache-2.0
#include "tests/support/interleavings.hpp"

#include <cstring>
#include <utility>

namespace kaon::testing {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 10;
constexpr std::uintptr_t kBetween = ~std::uintptr_t{0};  // ends a thread's part of a state

}  // namespace

std::string Interleavings::explore(const std::function<Run()>& make) {
  current_ = this;
  std::string fault;
  do {
    watched_.clear();
    made_ = 0;
    fault_.clear();
    ++runs_;
    fault = run_once(make());
  } while (fault.empty() && next_schedule());
  current_ = nullptr;
  return fault;
}

void Interleavings::enter() {
  Interleavings& self = *current_;
  self.fibres_[self.running_].body();
  self.fibres_[self.running_].has_ended = true;
  swapcontext(&self.fibres_[self.running_].context, &self.scheduler_);
}

void Interleavings::start(Fibre& fibre) {
  fibre.is_ready = nullptr;
  fibre.seen.clear();
  fibre.known = 0;
  fibre.has_ended = false;
  if (fibre.stack == nullptr) fibre.stack = std::make_unique<char[]>(kStackBytes);
  getcontext(&fibre.context);
  fibre.context.uc_stack.ss_sp = fibre.stack.get();
  fibre.context.uc_stack.ss_size = kStackBytes;
  fibre.context.uc_link = nullptr;
  makecontext(&fibre.context, &Interleavings::enter, 0);
  swapcontext(&scheduler_, &fibre.context);  // to its first step
}

std::string Interleavings::run_once(const Run& run) {
  fibres_.resize(run.threads.size());
  for (std::size_t i = 0; i < fibres_.size(); ++i) {
    fibres_[i].body = run.threads[i];
    running_ = i;
    start(fibres_[i]);
  }
  for (;;) {
    const auto ready = ready_fibres();
    if (ready.empty()) break;
    if (made_ == choices_.size() && is_known_state()) return "";
    running_ = ready[choose(ready.size())];
    swapcontext(&scheduler_, &fibres_[running_].context);
    if (!fault_.empty()) return fault_;
  }
  for (const Fibre& fibre : fibres_)
    if (!fibre.has_ended) return "a thread waits for ever";
  return run.fault();
}

std::vector<std::size_t> Interleavings::ready_fibres() const {
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < fibres_.size(); ++i)
    if (!fibres_[i].has_ended && (!fibres_[i].is_ready || fibres_[i].is_ready())) ready.push_back(i);
  return ready;
}

bool Interleavings::is_known_state() {
  std::vector<std::uintptr_t> state;
  for (const void* word : watched_) std::memcpy(&state.emplace_back(), word, sizeof(std::uintptr_t));
  for (const Fibre& fibre : fibres_) {
    state.insert(state.end(), fibre.seen.begin(), fibre.seen.end());
    state.push_back(fibre.known);
    state.push_back(kBetween);
  }
  return !visited_.insert(std::move(state)).second;
}

std::size_t Interleavings::choose(std::size_t count) {
  if (made_ == choices_.size()) choices_.push_back({0, count});
  return choices_[made_++].taken;
}

bool Interleavings::next_schedule() {
  while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().count) choices_.pop_back();
  if (choices_.empty()) return false;
  ++choices_.back().taken;
  return true;
}

std::uintptr_t Interleavings::step(const std::function<std::uintptr_t()>& action) {
  Interleavings& self = *current_;
  Fibre& fibre = self.fibres_[self.running_];
  swapcontext(&fibre.context, &self.scheduler_);
  fibre.is_ready = nullptr;
  fibre.seen.push_back(action());
  return fibre.seen.back();
}

void Interleavings::wait_until(std::function<bool()> condition) {
  Interleavings& self = *current_;
  self.fibres_[self.running_].is_ready = std::move(condition);
  step([] { return 0; });
}

std::size_t Interleavings::pick(std::size_t count) {
  return step([count] { return current_->choose(count); });
}

void Interleavings::read(std::size_t number) {
  if ((known() >> number & 1) == 0) current_->fault_ = "a thread reads what it may not see yet";
}

void Interleavings::watch(const void* word) { current_->watched_.push_back(word); }

void Interleavings::summarize(std::uintptr_t knowledge) {
  current_->fibres_[current_->running_].seen.assign(1, knowledge);
}

void Interleavings::forget_but_last() {
  auto& seen = current_->fibres_[current_->running_].seen;
  seen.erase(seen.end() - 2);
}

}  // namespace kaon::testing
