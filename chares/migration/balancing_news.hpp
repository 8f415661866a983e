// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/chares/migration/load_report.hpp"

namespace kaon::chares {

class ElementTable;

/// The centre's order to move an element.
struct MoveOrder {
  std::uint64_t element = 0;
  PeId to = 0;
};

/// The centre's question to the PEs.
struct LoadQuestion {
  std::uint8_t is_of_barrier = 0;
  std::uint8_t wants_loads = 1;     // or whether all are at the barrier alone
  std::uint8_t wants_elements = 1;  // or the sum of their loads alone
  std::uint8_t counts_traffic = 0;  // from then on
};

/// The answer of a PE about its elements.
struct LoadAnswer {
  PeId pe = 0;
  std::uint8_t is_complete = 0;  // all its elements are at the barrier
  std::uint64_t version = 0;
  std::uint64_t arrived = 0;
  std::int64_t population = 0;
  std::uint64_t changes = 0;  // at the barrier and of the population, since the beginning
  double seconds = 0;         // of all its elements
  DeviceMemory memory;
  std::vector<ElementLoad> elements;
  std::vector<Traffic> traffic;
};

/// The load that a PE has, or that another PE gives to it.
struct PeLoad {
  PeId pe = 0;
  double seconds = 0;
};

/// By which PEs deal with each other.
struct GossipTerms {
  std::uint32_t step = 0;  // a number of it
  double mean = 0;         // seconds of a PE
};

/// An element that one PE would give to another.
struct Offer {
  double seconds = 0;
  std::uint64_t device_bytes = 0;
};

/// The end of a step.
struct GoOn {
  std::string error;         // empty: none
  std::uint32_t step = 0;    // how many steps there have been
  std::uint32_t period = 1;  // the call of rebalance() that waits next
};

/// Tells the centre; what it says comes by the like, and so does what PEs tell each other.
namespace balancing_news {
void ready(ElementTable& table, PeId centre, std::uint64_t version);
void answer(ElementTable& table, PeId centre, LoadAnswer answer);
void sent(ElementTable& table, PeId centre, std::uint64_t count, std::vector<PeLoad> given);
void landed(ElementTable& table, PeId centre, std::uint64_t count);
void ask(ElementTable& table, PeId to, LoadQuestion question);
void order(ElementTable& table, PeId to, std::vector<MoveOrder> orders);
void begin_gossip(ElementTable& table, PeId to, GossipTerms terms);
void go_on(ElementTable& table, PeId to, GoOn words);
void rumor(ElementTable& table, PeId to, std::uint32_t round, std::vector<PeLoad> loads);
void offer(ElementTable& table, PeId to, std::uint32_t step, PeLoad giver, std::vector<Offer> offers);
void decide(ElementTable& table, PeId to, PeLoad taker, std::vector<std::uint8_t> are_taken);
}  // namespace balancing_news

}  // namespace kaon::chares
