// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/delivery.hpp"

#include <algorithm>
#include <utility>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/reply.hpp"

namespace kaon::chares {

void Delivery::start(Message& message, ElementTable& table, const Answers& answers, Recipients recipients,
                     const BroadcastFunctions& functions) {
  Pe& pe = table.pe();
  go_on(make<Delivery>(pe.activities(), pe.pool(), message, table, answers, std::move(recipients), functions), pe);
}

Delivery::Delivery(Message& message, ElementTable& table, const Answers& answers, Recipients&& recipients,
                   const BroadcastFunctions& functions)
    : message_(message),
      table_(table),
      use_(table.elements()),
      answers_(answers),
      recipients_(std::move(recipients)),
      functions_(functions) {
  run = &go_on;
  priority = message.priority;
}

void Delivery::go_on(Work& work, Pe& pe) {
  auto& self = static_cast<Delivery&>(work);
  pe.note_running(self.message_, RunningEntry::kNoElement);
  const std::uint64_t places = self.recipients_.places();
  self.run_some(pe, std::min(self.place_ + kElementsAtATime, places));
  if (self.place_ < places && !self.table_.is_ending()) return pe.enqueue(self);
  self.finish(pe);
}

void Delivery::run_some(Pe& pe, std::uint64_t stop) {
  const ResultTo to = answers_.to();
  answers_.expect(stop - place_);
  std::uint64_t absent = 0;
  for (; place_ < stop; ++place_) {
    recipients_.prefetch(place_ + 2);
    const std::uint64_t number = recipients_.number(place_);
    ElementBase* const element = recipients_.at(place_);
    if (element == nullptr) [[unlikely]] {
      ++absent;
      send_after(number, pe);
      continue;
    }
    pe.running().note_element(number);
    functions_.run_one(*element, message_, pe, to);
  }
  answers_.forgo(absent);
}

void Delivery::send_after(std::uint64_t number, Pe& pe) {
  if (table_.is_ending()) return;
  const auto at = recipients_.whereabouts(number);
  if (!at) return;
  if (!recipients_.are_at_home() || *at == pe.id())
    send_share(pe, pe.id(), number, {});
  else if (elsewhere_.add(*at, number))
    send_share(pe, *at, message_.element, elsewhere_.take(*at));
}

// What cannot be copied is told to who awaits the result, as what cannot be packed is.
void Delivery::send_share(Pe& pe, PeId to, std::uint64_t element, std::vector<std::uint64_t> numbers) {
  try {
    route_on(pe, share(pe, element, std::move(numbers)), to);
  } catch (...) {
    if (!message_.reply) throw;
    answers_.fail_one(pe, std::current_exception());
  }
}

Message& Delivery::share(Pe& pe, std::uint64_t element, std::vector<std::uint64_t> numbers) {
  Message& copy = *message_.entry->copy(message_, pe.pool());
  functions_.numbers(copy) = std::move(numbers);
  copy.element = element;
  copy.flags &= static_cast<std::uint8_t>(~kBroadcastMessage);
  copy.hops = 0;
  copy.source = pe.id();
  copy.reply = answers_.expect_reply();
  return copy;
}

void Delivery::finish(Pe& pe) {
  elsewhere_.take_all(
      [&](PeId at, std::vector<std::uint64_t> numbers) { send_share(pe, at, message_.element, std::move(numbers)); });
  ElementTable& table = table_;
  const Answers answers = answers_;
  end();
  pe.count_done();
  const bool are_cut = table.is_ending();
  table.use_is_over();
  answers.all_are_asked(pe, are_cut);
}

}  // namespace kaon::chares
