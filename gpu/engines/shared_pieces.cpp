// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_pieces.hpp"

#include <algorithm>
#include <new>

namespace kaon::gpu {
namespace {

constexpr SharedPurpose kStaging{"kaon-staging", "to stage device memory in",
                                 "in which a process of this host stages device memory", "send with --transport direct",
                                 "set KAON_TESTING=stage_through=network"};

}  // namespace

SharedPieces::SharedPieces(Driver& driver) : memory_(driver, kStaging, kBytes) { new (memory_.data()) Header{}; }
SharedPieces::SharedPieces(Driver& driver, Address address) : memory_(driver, kStaging, kBytes, address) {}

std::optional<std::size_t> SharedPieces::take(std::size_t spared) {
  auto& states = header().states;
  std::size_t found = kPieces, free = 0;
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    // acquire, with give_back(): the reading of what the maker's device will write over is done
    if (states[piece].load(std::memory_order_acquire) != kFree) continue;
    found = piece;
    if (++free > spared) break;
  }
  if (free <= spared) return std::nullopt;
  states[found].store(kTaken, std::memory_order_relaxed);
  return found;
}

bool SharedPieces::has_free() const {
  // relaxed: take() looks again
  return std::any_of(header().states.begin(), header().states.end(),
                     [](const auto& state) { return state.load(std::memory_order_relaxed) == kFree; });
}

void SharedPieces::give_back(std::size_t piece) { header().states[piece].store(kFree, std::memory_order_release); }

bool SharedPieces::want(std::uint64_t transfer) {
  auto& wanted = header().wanted;
  return std::any_of(wanted.begin(), wanted.end(), [&](std::atomic<std::uint64_t>& word) {
    std::uint64_t none = 0;
    return word.compare_exchange_strong(none, transfer, std::memory_order_relaxed);
  });
}

}  // namespace kaon::gpu
