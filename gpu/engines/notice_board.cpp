// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/notice_board.hpp"

#include <algorithm>

namespace kaon::gpu {

// Numbers of payloads follow each other, so the first choice is free as a rule.
bool NoticeBoard::post(PeId to, std::uint32_t counter, const CarriedNotice& notice) {
  for (std::uint32_t away = 0; away < kNotices; ++away) {
    const std::size_t at = (counter + away) % kNotices;
    if (words_->notice_keys[at].load(std::memory_order_acquire) != 0) continue;
    words_->notices[at] = notice;
    if (away > words_->widest.load(std::memory_order_relaxed)) words_->widest.store(away, std::memory_order_relaxed);
    words_->notice_keys[at].store(key_of(to, counter), std::memory_order_release);
    return true;
  }
  return false;
}

std::optional<CarriedNotice> NoticeBoard::take(PeId to, std::uint32_t counter) {
  const std::uint32_t widest = std::min<std::uint32_t>(words_->widest.load(std::memory_order_relaxed), kNotices - 1);
  for (std::uint32_t away = 0; away <= widest; ++away) {
    const std::size_t at = (counter + away) % kNotices;
    if (words_->notice_keys[at].load(std::memory_order_acquire) != key_of(to, counter)) continue;
    const CarriedNotice notice = words_->notices[at];
    words_->notice_keys[at].store(0, std::memory_order_release);
    return notice;
  }
  return std::nullopt;
}

std::size_t NoticeBoard::find_place(PeId of, std::size_t bytes) const {
  std::size_t best = kPlaces;
  std::uint64_t best_key = key_of(of, ~std::uint32_t{0});
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const std::uint64_t key = words_->place_keys[i].load(std::memory_order_acquire);
    if (key < key_of(of, bytes) || key >= best_key) continue;
    best = i;
    best_key = key;
  }
  return best;
}

std::optional<LentPlace> NoticeBoard::take_place(PeId of, std::size_t bytes) {
  const std::size_t at = find_place(of, bytes);
  if (at == kPlaces) return std::nullopt;
  const LentPlace place = words_->places[at];
  words_->place_keys[at].store(0, std::memory_order_release);
  return place;
}

bool NoticeBoard::lend(PeId of, std::size_t bytes, const LentPlace& place) {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    std::uint64_t free = 0;
    std::atomic<std::uint64_t>& key = words_->place_keys[i];
    if (key.load(std::memory_order_relaxed) != 0 ||
        !key.compare_exchange_strong(free, kWriting, std::memory_order_acquire))
      continue;
    words_->places[i] = place;
    key.store(key_of(of, bytes), std::memory_order_release);
    return true;
  }
  return false;
}

}  // namespace kaon::gpu
