// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kaon/gpu/device/shared_mapping.hpp"

namespace kaon::gpu {

/// Pinned pieces of host memory that processes of one host share: the maker's device writes a piece, the device of
/// another process reads it, and no processor copies anything. The maker's side belongs to one PE; each receiving PE
/// opens it once.
class SharedPieces {
 public:
  using Address = SharedMapping::Address;
  static constexpr std::size_t kPieces = 32;
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

  /// Makes them, all free. Throws OutOfMemory.
  explicit SharedPieces(Driver& driver);
  /// Opens those of another PE. Throws UsageError when this process may not.
  SharedPieces(Driver& driver, Address address);
  SharedPieces(const SharedPieces&) = delete;
  SharedPieces& operator=(const SharedPieces&) = delete;

  Address address() const { return memory_.address(); }
  std::byte* data(std::size_t piece) const { return memory_.data() + kHeaderBytes + piece * kPieceBytes; }

  // --- of the maker
  /// A free piece, now taken, if more than `spared` are free.
  std::optional<std::size_t> take(std::size_t spared);
  bool has_free() const;
  /// Calls `wanted(transfer)` for each that was wanted since the last call. True when there was one.
  template <class Function>
  bool each_wanted(Function wanted) {
    bool has_some = false;
    for (std::atomic<std::uint64_t>& word : header().wanted) {
      if (word.load(std::memory_order_relaxed) == 0) continue;
      // relaxed: the number says all; what it refers to is the maker's own
      wanted(word.exchange(0, std::memory_order_relaxed));
      has_some = true;
    }
    return has_some;
  }

  // --- of a receiver
  /// The piece was read.
  void give_back(std::size_t piece);
  /// Asks the maker for a transfer by its number, not 0. False: too many ask at the moment, try again later.
  bool want(std::uint64_t transfer);

 private:
  static constexpr std::size_t kHeaderBytes = 4096;
  static constexpr std::size_t kBytes = kHeaderBytes + kPieces * kPieceBytes;
  static constexpr std::size_t kWanted = 64;
  // states[i]
  //   kFree   the maker may take piece i. Stored by its receiver (release) when the device has read it, looked for by
  //           the maker (acquire), whose device writes it next
  //   kTaken  stored by the maker (relaxed): the notice that goes to the receiver orders what the device wrote
  // wanted[i]
  //   0       the place is free. Stored by the maker
  //   other   the number of a transfer whose receiver waits. Stored by the receiver, if it was 0
  enum State : std::uint32_t { kFree = 0, kTaken = 1 };  // 0: as a new segment is
  struct Header {
    std::array<std::atomic<std::uint32_t>, kPieces> states;
    alignas(64) std::array<std::atomic<std::uint64_t>, kWanted> wanted;
  };
  static_assert(sizeof(Header) <= kHeaderBytes);
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free,
                "states are shared between processes");

  Header& header() const { return *reinterpret_cast<Header*>(memory_.data()); }

  SharedMapping memory_;  // no copy in it is under way when it goes
};

}  // namespace kaon::gpu
