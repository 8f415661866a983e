// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/balancing/balancing_centre.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

BalancingCentre::BalancingCentre(ElementTable& table) : table_(table), parts_(table.pe().process().total_pes()) {}

BalancingCentre::~BalancingCentre() {
  if (asker_ != nullptr) asker_->centre_ = nullptr;
}

// --- who asks

void BalancingCentre::begin(StepWait& asker) {
  if (is_begun_)
    throw UsageError("rebalance(): a step of balancing the array of " + table_.description() +
                     " is under way already: await its end first");
  is_begun_ = true;
  asker_ = &asker;
  look();
}

void BalancingCentre::forget(StepWait& asker) noexcept {
  if (asker_ == &asker) asker_ = nullptr;
}

void BalancingCentre::array_ends() {
  if (asker_ == nullptr) return;
  asker_->result_.fail(std::make_exception_ptr(UsageError("rebalance(): the array was destroyed meanwhile")));
  std::exchange(asker_, nullptr)->end();
}

void BalancingCentre::look() {
  if (phase_ != Phase::idle) return;
  if (is_begun_) return ask(false);
  const bool are_all_ready = std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.is_ready; });
  if (has_news_ && are_all_ready) ask(true);
}

void BalancingCentre::ask(bool is_of_barrier) {
  phase_ = Phase::asking;
  is_of_barrier_ = is_of_barrier;
  has_news_ = false;
  answers_ = 0;
  arrived_ = 0;
  population_ = 0;
  report_.elements.clear();
  report_.traffic.clear();
  begin_ = Clock::now();
  for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::ask(table_, pe, is_of_barrier);
}

// --- what PEs say

// An older word than the last answer says nothing that this did not.
void BalancingCentre::ready(PeId from, std::uint64_t version) {
  Part& part = parts_[from];
  part.version = std::max(part.version, version);
  if (version <= part.answer_version) return;
  part.is_ready = true;
  has_news_ = true;
  look();
}

void BalancingCentre::answer(LoadAnswer answer) {
  Part& part = parts_[answer.pe];
  part.answer_version = answer.version;
  part.was_complete = answer.is_complete != 0;
  arrived_ += answer.arrived;
  population_ += answer.population;
  report_.elements.insert(report_.elements.end(), answer.elements.begin(), answer.elements.end());
  report_.traffic.insert(report_.traffic.end(), answer.traffic.begin(), answer.traffic.end());
  if (++answers_ < parts_.size()) return;
  if (is_of_barrier_ && !are_all_at_barrier()) return wait_on();
  decide();
}

bool BalancingCentre::are_all_at_barrier() const {
  const bool are_complete =
      std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.was_complete; });
  return are_complete && arrived_ > 0 && static_cast<std::int64_t>(arrived_) == population_;
}

// A word of readiness may have come before the answer that was given before it.
void BalancingCentre::wait_on() {
  phase_ = Phase::idle;
  for (Part& part : parts_) part.is_ready = part.was_complete || part.version > part.answer_version;
  look();
}

void BalancingCentre::sent(std::uint64_t count) {
  sent_ += count;
  ++sent_words_;
  look_at_moves();
}

void BalancingCentre::landed(std::uint64_t count) {
  landed_ += count;
  look_at_moves();
}

void BalancingCentre::look_at_moves() {
  if (phase_ == Phase::moving && sent_words_ == parts_.size() && sent_ == landed_) finish();
}

// --- the step

void BalancingCentre::decide() {
  const auto is_before = [](const ElementLoad& a, const ElementLoad& b) { return a.element < b.element; };
  auto& elements = report_.elements;
  if (!std::is_sorted(elements.begin(), elements.end(), is_before))
    std::sort(elements.begin(), elements.end(), is_before);
  report_.pes = static_cast<PeId>(parts_.size());
  report_.processes = table_.pe().process().seat().processes;
  std::vector<PeId> places;
  try {
    places = places_by(asker_ != nullptr && !is_of_barrier_ ? asker_->strategy_ : strategy_);
  } catch (const std::exception& error) {
    return fail(error.what());
  } catch (...) {
    return fail("the strategy that balances an array of " + table_.description() + " threw what is no std::exception");
  }
  order(places);
}

std::vector<PeId> BalancingCentre::places_by(const Strategy& strategy) const {
  const std::string whose = "the strategy that balances an array of " + table_.description();
  if (!strategy) return report_.places();
  std::vector<PeId> places;
  try {
    places = strategy(report_);
  } catch (const std::exception& error) {
    throw UsageError(whose + " threw: " + error.what());
  }
  if (places.size() != report_.elements.size())
    throw UsageError(whose + " gave " + std::to_string(places.size()) + " places for " +
                     std::to_string(report_.elements.size()) + " elements: it must give a PE for each");
  for (const PeId pe : places)
    if (pe >= report_.pes)
      throw UsageError(whose + " named PE " + std::to_string(pe) + ": the run has PEs 0 to " +
                       std::to_string(report_.pes - 1));
  for (std::size_t i = 0; i < places.size(); ++i)
    if (report_.elements[i].can_move == 0) places[i] = report_.elements[i].pe;
  return places;
}

void BalancingCentre::order(const std::vector<PeId>& places) {
  phase_ = Phase::moving;
  sent_words_ = 0;
  sent_ = landed_ = 0;
  std::vector<std::vector<MoveOrder>> orders(parts_.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ElementLoad& each = report_.elements[i];
    if (places[i] != each.pe) orders[each.pe].push_back({each.element, places[i]});
  }
  const std::vector<double> before = report_.loads(report_.places()), after = report_.loads(places);
  step_ = {};
  step_.elements = places.size();
  step_.most_before = *std::max_element(before.begin(), before.end());
  step_.most_after = *std::max_element(after.begin(), after.end());
  for (const double seconds : before) step_.mean_seconds += seconds / static_cast<double>(before.size());
  for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::order(table_, pe, std::move(orders[pe]));
}

void BalancingCentre::finish() {
  step_.moved = sent_;
  step_.taken_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (step_.moved > 0) {
    report_.step_seconds = step_.taken_seconds;
    report_.step_moves = step_.moved;
  }
  if (is_logged(runtime::LogLevel::info)) runtime::log_info(log_line());
  phase_ = Phase::idle;
  if (is_of_barrier_) {
    for (Part& part : parts_) part.is_ready = false;
    for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::go_on(table_, pe, {});
    return;
  }
  is_begun_ = false;
  if (StepWait* const asker = std::exchange(asker_, nullptr)) {
    asker->result_.set(step_);
    asker->end();
  }
  look();
}

void BalancingCentre::fail(const std::string& error) {
  phase_ = Phase::idle;
  if (is_of_barrier_) {
    for (Part& part : parts_) part.is_ready = false;
    for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::go_on(table_, pe, error);
    return;
  }
  is_begun_ = false;
  if (StepWait* const asker = std::exchange(asker_, nullptr)) {
    asker->result_.fail(std::make_exception_ptr(UsageError(error)));
    asker->end();
  }
  look();
}

std::string BalancingCentre::log_line() const {
  char text[160];
  std::snprintf(text, sizeof text,
                ": %llu of %llu elements moved; the most loaded PE had %.3g s, has %.3g s, mean %.3g s; took %.3g s",
                static_cast<unsigned long long>(step_.moved), static_cast<unsigned long long>(step_.elements),
                step_.most_before, step_.most_after, step_.mean_seconds, step_.taken_seconds);
  return "balanced an array of " + table_.description() + text;
}

// --- main's wait

bool StepWait::start(Waiter& waiter) {
  BalancingCentre& centre = *table_.balancing()->centre();
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
