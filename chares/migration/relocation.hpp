// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::chares {

struct Lines;

/// Where an element of a dense array is, among news of several.
struct MoveNews {
  std::uint64_t element;
  std::uint32_t moves;
};

/// Elements that leave for one PE together: as bytes in few messages, with news of all to their homes behind them.
/// Those that are bound to an element go in the same message as it, so that none is ever met without the others.
class Relocation {
 public:
  /// `is_of_step`: the centre of the array's balancing is told of their arrival.
  Relocation(ElementTable& table, PeId to, bool is_of_step) : table_(table), to_(to), is_of_step_(is_of_step) {}

  /// Takes an element of this PE that is at rest and goes elsewhere, and its mates. Throws UsageError when messages in
  /// its inboxes were left behind.
  void add(ElementBase& element);
  /// Sends the elements that were added.
  void send();

 private:
  void take_off(ElementTable& table, ElementBase& element);
  void pack(ElementTable& table, ElementBase& element, std::uint32_t moves, Lines lines);
  void note_move(ElementTable& table, std::uint64_t index, std::uint32_t moves);
  void take(runtime::OwnedPayload record);
  void send_bytes();

  ElementTable& table_;
  PeId to_;
  bool is_of_step_;
  std::uint32_t count_ = 0;    // of the elements in bytes_
  std::uint32_t leading_ = 0;  // of these, those of table_
  std::vector<std::byte> bytes_;
  std::vector<Payload<std::byte>> payloads_;  // of them, which go beside the bytes: also buffers of devices
  std::size_t payload_bytes_ = 0;
  std::map<std::pair<PeId, CollectionId>, std::vector<MoveNews>> news_;  // by the PEs that are to know
};

}  // namespace kaon::chares
