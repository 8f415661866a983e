// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "kaon/chares/elements/table_part.hpp"
#include "kaon/chares/sending/pe_grid.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {
class Pe;
}  // namespace kaon::runtime

namespace kaon::chares {

class ElementTable;

/// The bytes of a parcel: where its reader is, then items one behind the other.
using ParcelBytes = std::vector<std::byte>;

/// The header in front of the arguments of a message in a parcel.
struct ParcelItem {
  std::uint64_t element;
  PeId to;  // where the element is thought to be
  PeId source;
};
static_assert(sizeof(ParcelItem) == 16);

/// Messages of one entry to the elements of one collection, packed side by side into parcels, one for each PE that this
/// one sends to (PeGrid). A parcel leaves when it is full, or when the PE has nothing else to run. Until then it counts
/// as a message that was made.
class Parcels : public Work {
 public:
  using Functions = MessageFunctions<ParcelBytes>;
  using Parcel = Functions::Typed;
  static constexpr std::size_t kParcelBytes = 7900;  // with its header a little less than a batch
  static constexpr std::size_t kFirstItem = sizeof(std::uint32_t);
  static constexpr std::size_t kMostItemBytes = kParcelBytes - kFirstItem;

  /// `record` is that of the parcels.
  Parcels(Pe& pe, CollectionId collection, const EntryRecord& record);
  Parcels(const Parcels&) = delete;
  Parcels& operator=(const Parcels&) = delete;

  const EntryRecord& record() const { return record_; }

  /// The number of PEs of the run, one of which an item is for.
  PeId pes() const { return grid_.pes(); }
  /// Room for an item of so many bytes, at most kMostItemBytes, that is for PE `to`, another one; to be filled at once.
  std::byte* room(PeId to, std::size_t bytes) {
    Lane& lane = lanes_[grid_.lane(to)];
    if (lane.used + bytes > kParcelBytes) [[unlikely]]
      begin(lane);
    std::byte* const at = lane.bytes.data() + lane.used;
    lane.used += bytes;
    return at;
  }
  /// The same where only the packing tells the size: all the room that there is, of which `take` is told how much was
  /// used.
  std::pair<std::byte*, std::size_t> rest(PeId to);
  void take(PeId to, std::size_t bytes) { lanes_[grid_.lane(to)].used += bytes; }
  /// The parcel that an item for PE `to` would go into leaves, so that the item gets one of its own.
  void begin_another(PeId to) { begin(lanes_[grid_.lane(to)]); }

  /// All parcels leave.
  void send_all();

  /// The number of items of an arriving parcel that are run between two checks for other work.
  std::uint32_t pace = 8;

 private:
  struct Lane {
    ParcelBytes bytes;  // empty, or of kParcelBytes
    std::size_t used = kParcelBytes;
    PeId hop = 0;
  };

  void begin(Lane& lane);
  void send(Lane& lane);

  Pe& pe_;
  CollectionId collection_;
  const EntryRecord& record_;
  PeGrid grid_;
  std::vector<Lane> lanes_;
  std::vector<Lane*> open_;  // that hold something
  bool is_held_ = false;     // is to be told when the PE has nothing else to run
};

/// Those of the elements of a collection, for each record of parcels.
class ParcelsOfTable final : public TablePart {
 public:
  static constexpr TableSlot kSlot = TableSlot::parcels;

  explicit ParcelsOfTable(ElementTable& table) : table_(table) {}
  Parcels& of(const EntryRecord& record) {
    for (const auto& each : parcels_)
      if (&each->record() == &record) [[likely]]
        return *each;
    return make(record);
  }

 private:
  Parcels& make(const EntryRecord& record);

  ElementTable& table_;
  std::vector<std::unique_ptr<Parcels>> parcels_;  // few
};

/// Reads what is left of a parcel that has arrived.
class ParcelReader {
 public:
  /// Throws CorruptMessage.
  explicit ParcelReader(ParcelBytes& bytes);

  bool is_at_end() const { return at_ == end_; }
  /// Throws CorruptMessage where less is left.
  const std::byte* take(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - at_)) [[unlikely]]
      throw_cut_off();
    return std::exchange(at_, at_ + bytes);
  }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }
  /// The next reader goes on here.
  void leave_off() {
    const auto place = static_cast<std::uint32_t>(at_ - bytes_.data());
    std::memcpy(bytes_.data(), &place, sizeof place);
  }

 private:
  [[noreturn]] static void throw_cut_off();

  ParcelBytes& bytes_;
  const std::byte* at_;
  const std::byte* end_;
};

}  // namespace kaon::chares
