// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/engines/notice_board.hpp"
#include "kaon/gpu/engines/slab_places.hpp"

namespace kaon::gpu {

/// Blocks of a PE's device that it has lent to other PEs of the host, so that their small payloads come without being
/// fetched: they become the memory of payloads whose receivers have chosen none. Those who choose get nothing from it,
/// so who has sent to one of them is lent nothing for a while.
class LentPlaces {
 public:
  LentPlaces(Device& device, SlabPlaces& slabs, SharedFlags& flags) : device_(device), slabs_(slabs), flags_(flags) {}
  LentPlaces(const LentPlaces&) = delete;
  LentPlaces& operator=(const LentPlaces&) = delete;
  /// Nobody writes there any more.
  ~LentPlaces();

  /// A payload of a PE had to be fetched, whose receiver has chosen no memory.
  void note_fetched(PeId from, NoticeBoard board, std::size_t bytes);

  /// At the moment.
  std::size_t lent() const;

  // --- of one in which a payload was announced
  /// Throws CorruptMessage when that has not been lent for so many bytes.
  void check(std::uint32_t number, PeId to, std::size_t bytes) const;
  bool has_come(std::uint32_t number) const;
  Block& block(std::uint32_t number) const { return *lent_[number].block; }
  /// Its block is a payload's now; it gets another one, which nothing uses.
  void exchange(std::uint32_t number, Block& instead) { lent_[number].block = &instead; }
  void lend_again(std::uint32_t number, NoticeBoard board);
  /// Its payload was copied out of it, as its receiver had chosen memory.
  void end(std::uint32_t number);

 private:
  static constexpr std::uint32_t kMostLent = 16;  // to one PE
  static constexpr std::uint32_t kMostWait = 64;
  struct Lent {
    Block* block = nullptr;  // nullptr: none at the moment
    PeId to = 0;
    SharedFlagPlace place;
    std::uint32_t* come = nullptr;
  };
  struct Borrower {
    std::uint32_t places = 0;
    std::uint32_t wait = 0, next_wait = 1;  // payloads until it is lent something again
  };
  std::uint32_t free_number();
  bool lend(std::uint32_t number, NoticeBoard board);
  void give_back(std::uint32_t number);

  Device& device_;
  SlabPlaces& slabs_;
  SharedFlags& flags_;
  std::vector<Lent> lent_;  // by number
  std::map<PeId, Borrower> borrowers_;
};

}  // namespace kaon::gpu
