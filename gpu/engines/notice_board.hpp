// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kaon/gpu/device/segments.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::gpu {

/// What the receiver of a small payload must know: where it lies, for the receiver's device, and what tells the sender
/// that it was read; or into which of the places that the receiver has lent it comes.
struct CarriedNotice {
  static constexpr std::uint32_t kNowhere = ~0U;
  SlabPlace slab;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  SharedFlagPlace read;
  std::uint32_t lent = kNowhere;  // a number of the receiver's
};

/// Device memory that a PE has lent to another: a payload may be written there, and then the flag raised by one.
struct LentPlace {
  SlabPlace slab;
  std::uint64_t offset = 0;
  SharedFlagPlace come;
  std::uint32_t number = 0;  // the lender's
};

/// Memory that the processes of a host share, in which one PE, the maker, tells others of small payloads that leave it,
/// and others tell it of places that they lend to it. A notice is found by who receives the payload and by the
/// payload's number, as what goes through the network is. Each of its methods belongs to one thread of each PE.
class NoticeBoard {
 public:
  static constexpr std::size_t kNotices = 1024, kPlaces = 64;
  /// Zeros at first.
  explicit NoticeBoard(std::byte* memory) : words_(reinterpret_cast<Words*>(memory)) {}

  // --- of the maker
  /// False: there is no room, try again later.
  bool post(PeId to, std::uint32_t counter, const CarriedNotice& notice);
  /// The smallest place that a PE has lent and that has so many bytes, which is the maker's then.
  std::optional<LentPlace> take_place(PeId of, std::size_t bytes);

  // --- of others
  /// Takes the notice of a payload away; none: it was not posted yet.
  std::optional<CarriedNotice> take(PeId to, std::uint32_t counter);
  /// The smallest place that this PE has lent and that has less than so many bytes is the PE's again: its number.
  std::optional<std::uint32_t> withdraw(PeId of, std::size_t bytes);
  /// False: there is no room for more.
  bool lend(PeId of, std::size_t bytes, const LentPlace& place);

 private:
  // notice_keys[i]
  //   0      free. Stored by the receiver (release) when it has copied the notice, looked for by the maker (acquire)
  //   other  who receives it and its number. Stored by the maker (release) behind the notice, read by others (acquire)
  // place_keys[i]
  //   0      free. Stored by whoever had it (release) when the place was copied
  //   kBusy  somebody has it: whoever exchanges 0, to lend, or another key, to take or to withdraw, for that (acquire)
  //   other  who lends, and how many bytes. Stored by the lender (release) behind the place
  // widest
  //   how far from its first choice a notice has ever lain. Relaxed: who does not find one looks again
  static constexpr std::uint64_t kBusy = 1;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 31;
  struct Words {
    std::array<std::atomic<std::uint64_t>, kNotices> notice_keys;
    std::array<std::atomic<std::uint64_t>, kPlaces> place_keys;
    std::atomic<std::uint32_t> widest;
    std::array<CarriedNotice, kNotices> notices;
    std::array<LentPlace, kPlaces> places;
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "keys are shared between processes");

  static std::uint64_t key_of(PeId pe, std::uint64_t low) { return (std::uint64_t{pe} + 1) << 32 | low; }
  struct Found {
    std::size_t at = 0;
    std::uint64_t key = 0;  // 0: there is none
  };
  /// The smallest of that many bytes or more, below `most`.
  Found find_place(PeId of, std::size_t least, std::size_t most = kMostBytes) const;
  std::optional<LentPlace> take_out(Found found);

  Words* words_;

 public:
  static constexpr std::size_t kBytes = (sizeof(Words) + 4095) / 4096 * 4096;
};

}  // namespace kaon::gpu
