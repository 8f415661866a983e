// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::chares {

/// Slots for the objects that higher layers keep with each part of an array: one each, made on first use.
enum class TableSlot : std::uint8_t { node_member, seeds, orders, parcels, balancing };
inline constexpr std::size_t kTableSlots = 5;

/// Base of these. Its class says `static constexpr TableSlot kSlot` and is constructed with the ElementTable, to which
/// it belongs. The events are told of where elements come and go, never for each message.
class TablePart {
 public:
  TablePart() = default;
  TablePart(const TablePart&) = delete;
  TablePart& operator=(const TablePart&) = delete;
  virtual ~TablePart() = default;

  /// An element has moved away or ended. Not told once the array is being destroyed.
  virtual void element_left(std::uint64_t /*element*/) {}
  /// An element is no more, as its last PE, its home and, of a dense array, PE 0 know.
  virtual void element_is_gone(std::uint64_t /*element*/) {}
  /// An element was about to be made here, and its constructor has thrown.
  virtual void element_failed(std::uint64_t /*element*/) {}
  /// The array is destroyed: messages that wait in this part are dropped.
  virtual void drop_messages() {}
  /// All its elements have gone, and the table goes next.
  virtual void table_ends() {}
  /// Same as Collection::list_awaited().
  virtual std::uint64_t list_awaited(std::vector<std::string>& /*lines*/, std::size_t /*most*/) const { return 0; }
};

}  // namespace kaon::chares
