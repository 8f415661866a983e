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
  note_running(pe, self.message_, RunningEntry::kNoElement);
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
    if (functions_.order != nullptr && !is_due(*element, number)) [[unlikely]] {
      ++absent;
      continue;
    }
    pe.running().note_element(number);
    functions_.run_one(*element, message_, pe, to);
  }
  answers_.forgo(absent);
}

/// Of an ordered one. False: the element gets it by a share of its own, when those before it have run.
bool Delivery::is_due(ElementBase&, std::uint64_t number) {
  Orders& orders = table_.part<Orders>();
  if (recipients_.are_at_home() && !orders.broadcasts().has_line(number)) return true;  // it has never left
  const HomeTurn turn = turn_of(number);
  if (orders.broadcasts().is_due(number, turn)) {
    orders.broadcasts().taken(number, turn);
    return true;
  }
  Pe& pe = table_.pe();
  Share share{number, {}, {turn}};
  try {
    Message& message = make_share(pe, share);
    pe.count_made();
    orders.broadcasts().hold(number, turn, message);
  } catch (...) {
    skip_share(table_, number, turn);
    if (!message_.reply) throw;
    answers_.fail_one(pe, std::current_exception());
  }
  return false;
}

/// A home gives turns; a share has brought them.
HomeTurn Delivery::turn_of(std::uint64_t number) {
  if (recipients_.are_at_home()) return table_.part<Orders>().broadcasts().next(number);
  return functions_.order(message_).turns.at(place_);
}

void Delivery::send_after(std::uint64_t number, Pe& pe) {
  if (table_.is_ending()) return;
  const auto at = recipients_.whereabouts(number);
  if (!at) return;
  if (!recipients_.are_at_home() || *at == pe.id())
    send_share(pe, pe.id(), share_of(number));
  else if (elsewhere_.add(*at, number))
    send_share(pe, *at, share_of(elsewhere_.take(*at)));
}

Delivery::Share Delivery::share_of(std::uint64_t number) {
  Share share{number, {}, {}};
  if (functions_.order != nullptr) share.turns.push_back(turn_of(number));
  return share;
}

Delivery::Share Delivery::share_of(std::vector<std::uint64_t> numbers) {
  Share share{message_.element, std::move(numbers), {}};
  if (functions_.order == nullptr) return share;
  for (const std::uint64_t number : share.numbers) share.turns.push_back(turn_of(number));
  return share;
}

// What cannot be copied is told to who awaits the result, as what cannot be packed is.
void Delivery::send_share(Pe& pe, PeId to, Share share) {
  const std::vector<std::uint64_t> numbers = functions_.order != nullptr ? share.numbers : std::vector<std::uint64_t>();
  const std::vector<HomeTurn> turns = share.turns;
  try {
    route_on(pe, make_share(pe, share), to);
  } catch (...) {
    for (std::size_t i = 0; i < turns.size(); ++i)
      skip_share(table_, numbers.empty() ? share.element : numbers[i], turns[i]);
    if (!message_.reply) throw;
    answers_.fail_one(pe, std::current_exception());
  }
}

Message& Delivery::make_share(Pe& pe, Share& share) {
  Message& copy = *message_.entry->copy(message_, pe.pool());
  functions_.numbers(copy) = std::move(share.numbers);
  if (functions_.order != nullptr) functions_.order(copy).turns = std::move(share.turns);
  copy.element = share.element;
  copy.flags &= static_cast<std::uint8_t>(~kBroadcastMessage);
  copy.hops = 0;
  copy.source = pe.id();
  copy.reply = answers_.expect_reply();
  return copy;
}

void Delivery::finish(Pe& pe) {
  elsewhere_.take_all(
      [&](PeId at, std::vector<std::uint64_t> numbers) { send_share(pe, at, share_of(std::move(numbers))); });
  if (functions_.order != nullptr && (message_.flags & kBroadcastMessage))
    table_.part<Orders>().broadcasts().taken(functions_.order(message_).stamp);
  ElementTable& table = table_;
  const Answers answers = answers_;
  end();
  pe.count_done();
  const bool are_cut = table.is_ending();
  table.use_is_over();
  answers.all_are_asked(pe, are_cut);
}

}  // namespace kaon::chares
