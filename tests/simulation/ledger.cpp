// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/ledger.hpp"

#include <algorithm>
#include <cstddef>

namespace kaon::testing::simulation {
namespace {

std::string named(const char* what, Ledger::Id id) { return std::string(what) + " " + std::to_string(id); }

}  // namespace

Ledger::Id Ledger::expect(const char* what) {
  messages_.push_back({what, 1});
  return messages_.size() - 1;
}

void Ledger::arrive(Id id) {
  require(id < messages_.size(), "a message came that nobody sent");
  Message& message = messages_[id];
  require(message.missing == 1 && !message.is_to_several, named(message.what, id) + " came twice");
  message.missing = 0;
}

Ledger::Id Ledger::expect_each(const char* what, std::vector<Life> members) {
  const Id id = messages_.size();
  auto& lives = several_[id];
  for (const Life& member : members) lives[member] = false;
  messages_.push_back({what, lives.size(), true});
  return id;
}

void Ledger::arrive_at(Id id, const Life& life) {
  require(id < messages_.size() && messages_[id].is_to_several, "a broadcast came that nobody sent");
  const auto [at, is_other] = several_[id].emplace(life, true);
  if (is_other) return;
  require(!at->second, named(messages_[id].what, id) + " came to element " + std::to_string(life.index) + " twice");
  at->second = true;
  --messages_[id].missing;
}

std::string Ledger::missing_below(Id mark) const {
  std::string text;
  int listed = 0;
  for (Id id = all_below_; id < mark && listed < 5; ++id)
    if (messages_[id].missing > 0) {
      text += (listed++ == 0 ? "" : ", ") + named(messages_[id].what, id);
      if (messages_[id].is_to_several) text += " at " + std::to_string(messages_[id].missing);
    }
  return text;
}

void Ledger::require_all(Id mark) const {
  if (mark <= all_below_) return;
  const auto is_there = [](const Message& message) { return message.missing == 0; };
  const auto from = messages_.begin() + static_cast<std::ptrdiff_t>(all_below_);
  const auto to = messages_.begin() + static_cast<std::ptrdiff_t>(mark);
  if (!std::all_of(from, to, is_there)) throw Fault("these have not come: " + missing_below(mark));
  all_below_ = mark;
}

}  // namespace kaon::testing::simulation
