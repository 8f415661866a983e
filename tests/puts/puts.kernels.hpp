// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sender that starts prepared puts again and again, and a receiver that checks each of them.
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/puts/copy_starter.hpp"
#include "kaon/gpu/puts/put_ring.hpp"
#include "kaon/gpu/puts/put_starts.hpp"

namespace kaon::testing {

/// The data of `puts` puts side by side, in the memory of sender or receiver.
struct PutPieces {
  std::uint32_t* words;
  std::uint32_t puts, words_of_each;
  KAON_DEVICE std::uint32_t* of(std::uint32_t put) const { return words + put * words_of_each; }
  KAON_DEVICE static std::uint32_t value(std::uint32_t put, std::uint32_t word, std::uint32_t round) {
    return round * 1'000'003 + put * 1'009 + word;
  }
  KAON_DEVICE void write(std::uint32_t put, std::uint32_t round) const {
    for (std::uint32_t i = 0; i < words_of_each; ++i) of(put)[i] = value(put, i, round);
  }
  KAON_DEVICE std::uint32_t wrong(std::uint32_t put, std::uint32_t round) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < words_of_each; ++i) count += of(put)[i] != value(put, i, round);
    return count;
  }
};

/// Each block serves some of the puts: in each round it waits until the receiver has read the last one.
struct SendPuts {
  static constexpr bool kIsCooperative = true;
  gpu::PutRing ring;
  PutPieces pieces;
  gpu::FlagWord read;  // one word for each put
  std::uint32_t rounds, first;
  std::uint32_t* failures;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    const auto mine = static_cast<std::uint32_t>(at.index()), blocks = static_cast<std::uint32_t>(at.blocks().x);
    for (std::uint32_t round = 1; round <= rounds; ++round)
      for (std::uint32_t put = mine / at.threads().x; put < pieces.puts; put += blocks) {
        bool is_right = at.wait_for({read.word + put}, first + round - 1);
        pieces.write(put, round);
        is_right = is_right && ring.start(at, put, first + round);
        if (ring.sent != nullptr) {
          is_right = is_right && ring.wait_until_sent(at, put, first + round);
          pieces.write(put, ~round);  // what is sent is not this
        }
        if (!is_right) return at.add_into(failures, 1U);
      }
  }
};

/// The same by one thread that starts the copies itself.
struct SendPutsItself {
  static constexpr bool kIsCooperative = true;
  gpu::PutStarts starts;
  PutPieces pieces;
  gpu::FlagWord read;
  std::uint32_t rounds;
  std::uint32_t* failures;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first() || at.block().x > 0) return;
    if (starts.start<gpu::CopyStarter>(at, pieces.puts, 1) != gpu::PutFault::no_such_put) at.add_into(failures, 1U);
    for (std::uint32_t round = 1; round <= rounds; ++round)
      for (std::uint32_t put = 0; put < pieces.puts; ++put) {
        bool is_right = at.wait_for({read.word + put}, round - 1);
        pieces.write(put, round);
        is_right = is_right && starts.start<gpu::CopyStarter>(at, put, round) == gpu::PutFault::none;
        if (!is_right) return at.add_into(failures, 1U);
      }
  }
};

/// Waits for each put of each round, checks it, and says that it has read it.
struct ReceivePuts {
  static constexpr bool kIsCooperative = true;
  PutPieces pieces;
  gpu::FlagWord arrived, read;  // one word for each put
  std::uint32_t rounds, first;
  std::uint32_t* failures;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t round = 1; round <= rounds; ++round)
      for (std::uint32_t put = 0; put < pieces.puts; ++put) {
        if (!at.wait_for({arrived.word + put}, first + round)) return at.add_into(failures, 1U);
        at.add_into(failures, pieces.wrong(put, round));
        at.raise_to({read.word + put}, first + round);
      }
  }
};

/// Starts puts of a list without waiting for anything; counts those that were refused.
struct StartPuts {
  static constexpr bool kIsCooperative = true;
  gpu::PutRing ring;
  std::uint32_t first, count;  // numbers of puts
  std::uint32_t value;
  std::uint32_t* refused;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!ring.start(at, first + i, value)) at.add_into(refused, 1U);
  }
};

/// Starts put 0 again and again, without waiting.
struct StartAgain {
  static constexpr bool kIsCooperative = true;
  gpu::PutRing ring;
  std::uint32_t count;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t value = 1; value <= count; ++value) ring.start(at, 0, value);
  }
};

/// One round of all puts, at the sender.
struct WritePieces {
  PutPieces pieces;
  std::uint32_t round;
  KAON_DEVICE void operator()(std::size_t put) const { pieces.write(static_cast<std::uint32_t>(put), round); }
};

/// The same at the receiver: counts what is wrong, by put.
struct CheckPieces {
  PutPieces pieces;
  std::uint32_t round;
  std::uint32_t* wrong;
  KAON_DEVICE void operator()(std::size_t put) const {
    wrong[put] += pieces.wrong(static_cast<std::uint32_t>(put), round);
  }
};

}  // namespace kaon::testing

KAON_KERNEL(kaon::gpu::ForEach<kaon::testing::WritePieces>);
KAON_KERNEL(kaon::gpu::ForEach<kaon::testing::CheckPieces>);
KAON_KERNEL(kaon::testing::StartAgain);
KAON_KERNEL(kaon::testing::SendPuts);
KAON_KERNEL(kaon::testing::SendPutsItself);
KAON_KERNEL(kaon::testing::ReceivePuts);
KAON_KERNEL(kaon::testing::StartPuts);
