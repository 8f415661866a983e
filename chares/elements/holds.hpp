// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "kaon/chares/elements/taken_landings.hpp"

namespace kaon::chares {

/// The elements of one PE into whose memory payloads of messages were landed. While a message is on its way to its
/// entry the element must not leave; until the entry has ended, or a task has taken the message out of its inbox, no
/// other may land there. A message is told from others by a key, which is its address and later, in a task, that of the
/// task.
class Holds {
 public:
  /// Throws UsageError when another message is landed there. Before begin(), as the message's payloads are placed.
  void take(std::uint64_t element, const void* key, const void* data, std::size_t bytes) {
    holds_[element].landings.take(key, data, bytes);
  }
  /// As take, of a message that is run at once.
  void check(std::uint64_t element, const void* data, std::size_t bytes) const {
    if (const auto held = holds_.find(element); held != holds_.end()) held->second.landings.check(data, bytes);
  }
  /// A message that was landed is on its way to its entry.
  void begin(std::uint64_t element) { ++holds_[element].messages; }
  /// It has come there.
  void end(std::uint64_t element) { --holds_.find(element)->second.messages; }
  bool keeps(std::uint64_t element) const {
    const auto held = holds_.find(element);
    return held != holds_.end() && held->second.messages > 0;
  }
  void change_key(std::uint64_t element, const void* from, const void* to) {
    if (const auto held = holds_.find(element); held != holds_.end()) held->second.landings.change_key(from, to);
  }
  void free(std::uint64_t element, const void* key) {
    const auto held = holds_.find(element);
    if (held == holds_.end()) return;  // it has left
    held->second.landings.let_go(key);
    if (held->second.messages == 0 && held->second.landings.empty()) holds_.erase(held);
  }
  /// The element leaves.
  void remove(std::uint64_t element) { holds_.erase(element); }

 private:
  struct Hold {
    std::uint32_t messages = 0;
    TakenLandings landings;
  };
  boost::unordered_flat_map<std::uint64_t, Hold> holds_;
};

}  // namespace kaon::chares
