// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/seeds.hpp"

#include <algorithm>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/bit_queue.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace seed_procedures {  // not unnamed: entries are told apart by their names

Seeds& seeds_of(ElementTable& table) {
  if (Seeds* const seeds = table.find_part<Seeds>()) return *seeds;
  throw CorruptMessage("a PE was asked for chares to make of an array");
}
void note_hungry(ElementTable& table, PeId pe) { seeds_of(table).note_hungry(pe); }
void note_gift(ElementTable& table, PeId giver) { seeds_of(table).note_gift(giver); }

}  // namespace seed_procedures

Seeds::Seeds(ElementTable& table) : table_(table) {
  for (Next* const next : {&next_, &late_}) {
    next->run = &run_next;
    next->seeds = this;
  }
  stacks_[0];
  const PeId pes = table.pe().process().total_pes(), here = table.pe().id();
  for (PeId distance = 1; distance < pes; distance *= 2) {
    givers_.push_back({(here + distance) % pes, true});
    hungry_.insert(hungry_.begin(), (here + pes - distance) % pes);
  }
}

Seeds::~Seeds() {
  for (auto& [priority, stack] : stacks_)
    for (; !stack.empty(); ++stack.oldest) {
      Message& seed = *stack.seeds[stack.oldest];
      seed.entry->destroy(seed, table_.pe().pool());
    }
  for (const auto& [priority, seed] : by_bits_) seed->entry->destroy(*seed, table_.pe().pool());
}

void Seeds::add(Message& seed) {
  Stack& stack = seed.priority == 0 ? stacks_.find(0)->second : stacks_[seed.priority];
  stack.seeds.push_back(&seed);
  note_added();
}

void Seeds::add(Message& seed, BitPriority priority) {
  by_bits_.emplace(std::move(priority), &seed);
  note_added();
}

void Seeds::note_added() {
  ++count_;
  if (!hungry_.empty()) give_some();
  plan_next();
}

void Seeds::note_gift(PeId giver) {
  for (Giver& each : givers_)
    if (each.pe == giver) each.knows = false;
  if (count_ == 0) ask_for_some();  // what was given has been made already
}

void Seeds::note_hungry(PeId pe) {
  if (std::ranges::find(hungry_, pe) != hungry_.end()) throw CorruptMessage("a PE asked for chares to make twice");
  hungry_.push_back(pe);
  give_some();
}

// --- what is next

Seeds::Stack* Seeds::best() {
  for (auto at = stacks_.begin(); at != stacks_.end();) {
    if (!at->second.empty()) return &at->second;
    at = at->first == 0 ? std::next(at) : stacks_.erase(at);
  }
  return nullptr;
}

bool Seeds::are_bits_best() {
  if (by_bits_.empty()) return false;
  const Stack* const stack = best();
  return stack == nullptr || stack->seeds.back()->priority >= BitQueue::kPriority;
}

Message& Seeds::take_newest() {
  if (are_bits_best()) {
    --count_;
    return *by_bits_.extract(by_bits_.begin()).mapped();
  }
  Stack& stack = *best();
  Message& seed = *stack.seeds.back();
  stack.seeds.pop_back();
  if (stack.empty()) stack.seeds.clear(), stack.oldest = 0;
  --count_;
  return seed;
}

Message& Seeds::take_oldest() {
  Stack& stack = *best();
  Message& seed = *stack.seeds[stack.oldest++];
  if (stack.oldest * 2 > stack.seeds.size()) {
    stack.seeds.erase(stack.seeds.begin(), stack.seeds.begin() + static_cast<std::ptrdiff_t>(stack.oldest));
    stack.oldest = 0;
  }
  --count_;
  return seed;
}

void Seeds::plan_next() {
  if (count_ == 0) return;
  const std::int32_t priority = are_bits_best() ? BitQueue::kPriority : best()->seeds.back()->priority;
  Next& next = priority > 0 ? late_ : next_;
  if (std::exchange(next.is_planned, true)) return;
  next.priority = priority;
  table_.pe().enqueue(next);
}

// One at a time, behind what is ready: chares that have begun come first.
void Seeds::run_next(Work& work, Pe& pe) {
  auto& next = static_cast<Next&>(work);
  Seeds& self = *next.seeds;
  next.is_planned = false;
  if (self.count_ == 0) return;  // others have got them
  Message& seed = self.take_newest();
  self.due_ = &seed;
  seed.run(seed, pe);
  if (self.count_ == 0) self.ask_for_some();
  self.plan_next();
}

// --- others

void Seeds::give_some() {
  constexpr std::size_t kMost = 32;
  while (!hungry_.empty() && count_ >= 2) {
    const PeId to = hungry_.back();
    hungry_.pop_back();
    give(to, kMost);
    Pe& pe = table_.pe();
    TableProcedure<&seed_procedures::note_gift>::send(pe, to, table_.id(), pe.id());
  }
}

// Of those by bits each second one, so that both PEs go on with the first there are.
void Seeds::give(PeId to, std::size_t most) {
  auto at = by_bits_.begin();
  for (std::size_t left = std::min(count_ / 2, most); left > 0; --left) {
    if (best() == nullptr || (at != by_bits_.end() && are_bits_best())) {
      if (std::next(at) != by_bits_.end()) ++at;
      --count_;
      Message& seed = *at->second;
      at = by_bits_.erase(at);
      if (at == by_bits_.end()) at = by_bits_.begin();
      table_.forwarding().send_on(seed, to);
    } else {
      table_.forwarding().send_on(take_oldest(), to);
    }
  }
}

void Seeds::ask_for_some() {
  Pe& pe = table_.pe();
  for (Giver& giver : givers_)
    if (!std::exchange(giver.knows, true))
      TableProcedure<&seed_procedures::note_hungry>::send(pe, giver.pe, table_.id(), pe.id());
}

}  // namespace kaon::chares
