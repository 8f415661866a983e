// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/lent_places.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "kaon/gpu/device/arena.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

LentPlaces::~LentPlaces() {
  for (const Lent& lent : lent_)
    if (lent.block != nullptr) device_.memory().give_back(*lent.block, {});
}

void LentPlaces::note_fetched(PeId from, NoticeBoard board, std::size_t bytes) {
  Borrower& borrower = borrowers_[from];
  if (borrower.wait > 0) {
    --borrower.wait;
    return;
  }
  if (borrower.places == kMostLent) {  // as smaller payloads have come until now
    const auto number = board.withdraw(device_.pe().id(), bytes);
    if (!number) return;
    give_back(*number);
  }
  Block* const block = device_.memory().pool().take_idle(bytes);
  if (block == nullptr) return;
  const std::uint32_t number = free_number();
  lent_[number].block = block;
  lent_[number].to = from;
  ++borrower.places;
  if (!lend(number, board)) give_back(number);
}

std::size_t LentPlaces::lent() const {
  return static_cast<std::size_t>(
      std::count_if(lent_.begin(), lent_.end(), [](const Lent& lent) { return lent.block != nullptr; }));
}

std::uint32_t LentPlaces::free_number() {
  const auto free = std::find_if(lent_.begin(), lent_.end(), [](const Lent& lent) { return lent.block == nullptr; });
  if (free != lent_.end()) return static_cast<std::uint32_t>(free - lent_.begin());
  Lent lent;
  lent.place = flags_.take();
  lent.come = flags_.open(lent.place);
  lent_.push_back(lent);
  return static_cast<std::uint32_t>(lent_.size() - 1);
}

// False: others cannot map it, or there is no room on the board.
bool LentPlaces::lend(std::uint32_t number, NoticeBoard board) {
  Lent& lent = lent_[number];
  Region& region = lent.block->region();
  region.arena->note_export(region, lent.block->bytes);  // before it is one
  // relaxed: the key on the board is stored behind it
  std::atomic_ref<std::uint32_t>(*lent.come).store(0, std::memory_order_relaxed);
  const LentPlace place{slabs_.of(region), static_cast<std::uint64_t>(lent.block->data - region.base), lent.place,
                        number};
  return place.slab.bytes > 0 && board.lend(device_.pe().id(), lent.block->bytes, place);
}

void LentPlaces::check(std::uint32_t number, PeId to, std::size_t bytes) const {
  if (number >= lent_.size() || lent_[number].block == nullptr || lent_[number].to != to ||
      lent_[number].block->bytes < bytes)
    throw CorruptMessage("a small payload was announced in memory that was not lent for it");
}

// acquire: what was written there is used from here on.
bool LentPlaces::has_come(std::uint32_t number) const {
  return std::atomic_ref<std::uint32_t>(*lent_[number].come).load(std::memory_order_acquire) != 0;
}

void LentPlaces::lend_again(std::uint32_t number, NoticeBoard board) {
  borrowers_[lent_[number].to].next_wait = 1;
  if (!lend(number, board)) give_back(number);
}

void LentPlaces::end(std::uint32_t number) {
  Borrower& borrower = borrowers_[lent_[number].to];
  borrower.wait = borrower.next_wait;
  borrower.next_wait = std::min(2 * borrower.next_wait, kMostWait);
  give_back(number);
}

void LentPlaces::give_back(std::uint32_t number) {
  Lent& lent = lent_[number];
  --borrowers_[lent.to].places;
  device_.memory().give_back(*std::exchange(lent.block, nullptr), {});
}

}  // namespace kaon::gpu
