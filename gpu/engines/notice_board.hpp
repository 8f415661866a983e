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

/// The descriptor of a payload for its receiver. It holds either the payload's place, for the receiver's device, or the
/// number of a place that the receiver has lent. `read` is the flag to raise after reading, unless the notice's own
/// place says that to the sender.
struct PayloadNotice {
  static constexpr std::uint32_t kNowhere = ~0U;
  SlabPlace slab;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  SharedFlagPlace read;
  std::uint32_t lent = kNowhere;  // a number of the receiver's
  bool may_stay = false;          // it may be kept where it lies, as nobody waits for that memory
};

/// Device memory that a PE has lent to another: a payload may be written there, and then the flag raised by one.
struct LentPlace {
  SlabPlace slab;
  std::uint64_t offset = 0;
  SharedFlagPlace come;
  std::uint32_t number = 0;  // the lender's
};

/// Memory that the processes of a host share, in which one PE, the maker, tells others of payloads that leave it,
/// and others tell it of places that they lend to it. A notice is found by who receives the payload and by the
/// payload's number, as what goes through the network is. Each of its methods belongs to one thread of each PE.
class NoticeBoard {
 public:
  static constexpr std::size_t kNotices = 1024, kPlaces = 64;
  /// Zeros at first.
  explicit NoticeBoard(std::byte* memory) : words_(reinterpret_cast<Words*>(memory)) {}

  // --- of the maker
  /// How many places beside its first one a search for a notice looks at.
  std::uint32_t widest_search() const { return words_->widest.load(std::memory_order_relaxed); }
  /// Its number on the board; none: there is no room, try again later.
  std::optional<std::uint32_t> post(PeId to, std::uint32_t counter, const PayloadNotice& notice);
  enum class State : std::uint8_t { posted, kept, taken_away };
  /// The state of a notice, as its receiver has left it.
  State state_of(std::uint32_t number, PeId to, std::uint32_t counter) const;
  /// The smallest place that a PE has lent and that has so many bytes, which is the maker's then.
  std::optional<LentPlace> take_place(PeId of, std::size_t bytes);
  /// Another number whenever a PE has posted a notice for the maker, or has done something with one of his: until then
  /// he need not look for either.
  std::uint32_t doorbell() const { return words_->doorbell.load(std::memory_order_acquire); }

  // --- of others
  /// A notice, and its number on the board.
  struct Posted {
    PayloadNotice notice;
    std::uint32_t number;
  };
  /// To the maker, when there is a notice for him on another board. The functions below do so by themselves.
  void ring() { words_->doorbell.fetch_add(1, std::memory_order_release); }
  /// The notice of a payload, which stays, and which no later payload of the same number finds; none: it was not posted
  /// yet.
  std::optional<Posted> claim(PeId to, std::uint32_t counter);
  /// Has heard of it, and keeps what its maker keeps for it until take_away().
  void keep(std::uint32_t number);
  /// Takes it away: what its maker keeps for it is free.
  void take_away(std::uint32_t number);
  /// Both.
  std::optional<PayloadNotice> take(PeId to, std::uint32_t counter);
  /// The smallest place that this PE has lent and that has less than so many bytes is the PE's again: its number.
  std::optional<std::uint32_t> withdraw(PeId of, std::size_t bytes);
  /// False: there is no room for more.
  bool lend(PeId of, std::size_t bytes, const LentPlace& place);

 private:
  // notice_keys[i]
  //   0      free. Stored by the receiver (release) when it has no use for the notice any more, or for what its maker
  //          keeps for it; looked for by the maker (acquire)
  //   other  who receives it and its number. Stored by the maker (release) behind the notice, read by others (acquire);
  //          kClaimed and kKept are added by the receiver (relaxed: nothing lies behind them)
  // place_keys[i]
  //   0      free. Stored by whoever had it (release) when the place was copied
  //   kBusy  somebody has it: whoever exchanges 0, to lend, or another key, to take or to withdraw, for that (acquire)
  //   other  who lends, and how many bytes. Stored by the lender (release) behind the place
  // widest
  //   how far from its first choice a notice lies that others may look for, or further. Stored by the maker alone.
  //   Relaxed: who does not find one looks again
  // doorbell
  //   raised by others (release) behind what they tell; read by the maker (acquire). On a line of its own, as he reads
  //   it in each turn
  static constexpr std::uint64_t kBusy = 1, kClaimed = std::uint64_t{1} << 62, kKept = std::uint64_t{1} << 63;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 31;
  static constexpr std::size_t kLine = 64;
  struct Words {
    std::array<std::atomic<std::uint64_t>, kNotices> notice_keys;
    std::array<std::atomic<std::uint64_t>, kPlaces> place_keys;
    std::atomic<std::uint32_t> widest;
    std::array<std::byte, kLine> before;
    std::atomic<std::uint32_t> doorbell;
    std::array<std::byte, kLine> behind;
    std::array<PayloadNotice, kNotices> notices;
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
  std::uint32_t widest_now() const;
  /// Neither claimed nor kept.
  std::optional<Posted> find(PeId to, std::uint32_t counter) const;
  std::optional<LentPlace> take_out(Found found);

  Words* words_;

 public:
  static constexpr std::size_t kBytes = (sizeof(Words) + 4095) / 4096 * 4096;
};

}  // namespace kaon::gpu
