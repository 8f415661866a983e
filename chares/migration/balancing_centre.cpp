// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/balancing_centre.hpp"

#include <algorithm>
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
    throw UsageError("rebalance(): a step of balancing the array of " + description_of(table_) +
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
  if (is_begun_) return ask(false, true);
  const bool are_all_ready = std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.is_ready; });
  if (has_news_ && are_all_ready) ask(true, !table_.is_sparse());
}

void BalancingCentre::ask(bool is_of_barrier, bool wants_loads) {
  phase_ = Phase::asking;
  is_of_barrier_ = is_of_barrier;
  if (is_of_barrier) has_news_ = false;
  answers_ = 0;
  arrived_ = 0;
  population_ = 0;
  report_.elements.clear();
  report_.traffic.clear();
  report_.memory.assign(parts_.size(), {});
  begin_ = Clock::now();
  LoadQuestion question;
  question.is_of_barrier = is_of_barrier ? 1 : 0;
  question.wants_loads = wants_loads ? 1 : 0;
  question.wants_elements = strategy().is_gossip() ? 0 : 1;
  question.counts_traffic = strategy_.looks_at_traffic() || strategy().looks_at_traffic() ? 1 : 0;
  for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::ask(table_, pe, question);
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
  part.changes = answer.changes;
  part.seconds = answer.seconds;
  if (!is_of_barrier_ && part.was_complete) part.is_ready = has_news_ = true;
  report_.memory[answer.pe] = answer.memory;
  arrived_ += answer.arrived;
  population_ += answer.population;
  report_.elements.insert(report_.elements.end(), answer.elements.begin(), answer.elements.end());
  report_.traffic.insert(report_.traffic.end(), answer.traffic.begin(), answer.traffic.end());
  if (++answers_ < parts_.size()) return;
  if (is_of_barrier_ && !are_all_at_barrier()) return wait_on();
  if (is_of_barrier_ && table_.is_sparse() && !confirm_sum()) return ask(true, true);
  decide();
}

// True: nothing has changed since all were found to be at the barrier before, which is then the question without loads
// or a later one: the end of a step is a change on every PE.
bool BalancingCentre::confirm_sum() {
  bool is_sure = true;
  for (Part& part : parts_) is_sure &= std::exchange(part.changes_of_sum, part.changes) == part.changes;
  return is_sure;
}

bool BalancingCentre::are_all_at_barrier() const {
  const bool are_complete =
      std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.was_complete; });
  return are_complete && arrived_ > 0 && static_cast<std::int64_t>(arrived_) == population_;
}

// A word of readiness may have come before the answer that was given before it. And an element may have been inserted
// from a PE that had answered, and be at the barrier of another one that had not: no word will come of that.
void BalancingCentre::wait_on() {
  phase_ = Phase::idle;
  if (static_cast<std::int64_t>(arrived_) > population_) has_news_ = true;
  for (Part& part : parts_) part.is_ready = part.was_complete || part.version > part.answer_version;
  look();
}

void BalancingCentre::sent(PeId from, std::uint64_t count, const std::vector<PeLoad>& given) {
  sent_ += count;
  for (const PeLoad& each : given) {
    parts_[from].seconds -= each.seconds;
    parts_[each.pe].seconds += each.seconds;
  }
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

const Strategy& BalancingCentre::strategy() const {
  return asker_ != nullptr && !is_of_barrier_ ? asker_->strategy_ : strategy_;
}

double BalancingCentre::most() const {
  double most = 0;
  for (const Part& part : parts_) most = std::max(most, part.seconds);
  return most;
}

void BalancingCentre::decide() {
  step_ = {};
  step_.calls = is_of_barrier_ ? costs_.period() : 1;
  step_.elements = static_cast<std::uint64_t>(population_);
  step_.most_before = most();
  for (const Part& part : parts_) step_.mean_seconds += part.seconds / static_cast<double>(parts_.size());
  report_.pes = static_cast<PeId>(parts_.size());
  report_.processes = table_.pe().process().seat().processes;
  if (std::all_of(report_.memory.begin(), report_.memory.end(), [](const auto& each) { return each.device < 0; }))
    report_.memory.clear();
  if (strategy().is_gossip()) return begin_gossip();
  try {
    decide_by_report();
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail("the strategy that balances an array of " + description_of(table_) + " threw what is no std::exception");
  }
}

void BalancingCentre::decide_by_report() {
  const auto is_before = [](const ElementLoad& a, const ElementLoad& b) { return a.element < b.element; };
  auto& elements = report_.elements;
  if (!std::is_sorted(elements.begin(), elements.end(), is_before))
    std::sort(elements.begin(), elements.end(), is_before);
  std::vector<PeId> places = places_by(strategy());
  step_.too_large = keep_what_does_not_fit(report_, places);
  const std::vector<double> after = report_.loads(places);
  const double most_after = *std::max_element(after.begin(), after.end());
  if (strategy().is_automatic() && !costs_.is_worth(step_.most_before - most_after, report_.moves(places))) {
    places = report_.places();
    step_.was_worth = false;
  }
  step_.most_after = step_.was_worth ? most_after : step_.most_before;
  order(places);
}

// What gossip will come to is not known before: at best that all have the mean.
void BalancingCentre::begin_gossip() {
  step_.was_worth = !strategy().is_automatic() || costs_.is_worth(step_.most_before - step_.mean_seconds, 1);
  if (!step_.was_worth) return order({});
  begin_moves();
  for (PeId pe = 0; pe < parts_.size(); ++pe)
    balancing_news::begin_gossip(table_, pe, {steps_ + 1, step_.mean_seconds});
}

std::vector<PeId> BalancingCentre::places_by(const Strategy& strategy) const {
  const std::string whose = "the strategy that balances an array of " + description_of(table_);
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

void BalancingCentre::begin_moves() {
  phase_ = Phase::moving;
  sent_words_ = 0;
  sent_ = landed_ = 0;
}

void BalancingCentre::order(const std::vector<PeId>& places) {
  begin_moves();
  std::vector<std::vector<MoveOrder>> orders(parts_.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ElementLoad& each = report_.elements[i];
    if (places[i] != each.pe) orders[each.pe].push_back({each.element, places[i]});
  }
  for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::order(table_, pe, std::move(orders[pe]));
}

void BalancingCentre::finish() {
  step_.moved = sent_;
  step_.taken_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (strategy().is_gossip()) step_.most_after = most();
  if (step_.moved > 0) {
    report_.step_seconds = step_.taken_seconds;
    report_.step_moves = step_.moved;
  }
  note_step();
  phase_ = Phase::idle;
  if (is_of_barrier_) {
    costs_.step_ends(step_, strategy_.is_automatic() && !table_.is_sparse());
    go_on({});
    return look();
  }
  is_begun_ = false;
  if (StepWait* const asker = std::exchange(asker_, nullptr)) {
    asker->result_.set(step_);
    asker->end();
  }
  look();
}

void BalancingCentre::note_step() {
  constexpr std::size_t kMostKept = 1000;
  if (kept_.array.empty()) kept_.array = description_of(table_);
  ++kept_.steps;
  kept_.moved += step_.moved;
  kept_.taken_seconds += step_.taken_seconds;
  if (kept_.latest.size() == kMostKept) kept_.latest.erase(kept_.latest.begin());
  kept_.latest.push_back(step_);
  ++steps_;
  if (is_logged(runtime::LogLevel::info))
    runtime::log_info("balanced an array of " + description_of(table_) + ": " + step_.text());
}

void BalancingCentre::go_on(const std::string& error) {
  for (Part& part : parts_) part.is_ready = false;
  for (PeId pe = 0; pe < parts_.size(); ++pe) balancing_news::go_on(table_, pe, {error, steps_, costs_.period()});
}

void BalancingCentre::fail(const std::string& error) {
  phase_ = Phase::idle;
  ++steps_;
  if (is_of_barrier_) {
    go_on(error);
    return look();
  }
  is_begun_ = false;
  if (StepWait* const asker = std::exchange(asker_, nullptr)) {
    asker->result_.fail(std::make_exception_ptr(UsageError(error)));
    asker->end();
  }
  look();
}

}  // namespace kaon::chares
