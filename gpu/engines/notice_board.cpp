// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/notice_board.hpp"

#include <algorithm>

namespace kaon::gpu {

// Of those that are on the board.
std::uint32_t NoticeBoard::widest_now() const {
  std::uint32_t widest = 0;
  for (std::uint32_t at = 0; at < kNotices; ++at) {
    const std::uint64_t key = words_->notice_keys[at].load(std::memory_order_relaxed);
    if (key != 0) widest = std::max(widest, (at - static_cast<std::uint32_t>(key)) % std::uint32_t{kNotices});
  }
  return widest;
}

// Numbers of payloads follow each other, so the first choice is free as a rule. Once a round of the board the searches
// of others become as short again as they may be: a crowd of long ago does not cost them for ever.
std::optional<std::uint32_t> NoticeBoard::post(PeId to, std::uint32_t counter, const PayloadNotice& notice) {
  if (counter % kNotices == 0 && widest_search() > 0) words_->widest.store(widest_now(), std::memory_order_relaxed);
  for (std::uint32_t away = 0; away < kNotices; ++away) {
    const std::uint32_t at = (counter + away) % kNotices;
    if (words_->notice_keys[at].load(std::memory_order_acquire) != 0) continue;
    words_->notices[at] = notice;
    if (away > words_->widest.load(std::memory_order_relaxed)) words_->widest.store(away, std::memory_order_relaxed);
    words_->notice_keys[at].store(key_of(to, counter), std::memory_order_release);
    return at;
  }
  return std::nullopt;
}

NoticeBoard::State NoticeBoard::state_of(std::uint32_t number, PeId to, std::uint32_t counter) const {
  const std::uint64_t key = words_->notice_keys[number].load(std::memory_order_acquire) & ~kClaimed;
  if (key == key_of(to, counter)) return State::posted;
  return key == (key_of(to, counter) | kKept) ? State::kept : State::taken_away;
}

std::optional<NoticeBoard::Posted> NoticeBoard::find(PeId to, std::uint32_t counter) const {
  const std::uint32_t widest = std::min<std::uint32_t>(words_->widest.load(std::memory_order_relaxed), kNotices - 1);
  for (std::uint32_t away = 0; away <= widest; ++away) {
    const std::uint32_t at = (counter + away) % kNotices;
    if (words_->notice_keys[at].load(std::memory_order_acquire) == key_of(to, counter))
      return Posted{words_->notices[at], at};
  }
  return std::nullopt;
}

// Numbers wrap around, so that a payload may have the number of one that streams are still reading.
std::optional<NoticeBoard::Posted> NoticeBoard::claim(PeId to, std::uint32_t counter) {
  const auto posted = find(to, counter);
  if (posted) words_->notice_keys[posted->number].store(key_of(to, counter) | kClaimed, std::memory_order_relaxed);
  return posted;
}

void NoticeBoard::keep(std::uint32_t number) {
  words_->notice_keys[number].fetch_or(kKept, std::memory_order_relaxed);
  ring();
}

void NoticeBoard::take_away(std::uint32_t number) {
  words_->notice_keys[number].store(0, std::memory_order_release);
  ring();
}

std::optional<PayloadNotice> NoticeBoard::take(PeId to, std::uint32_t counter) {
  const auto posted = find(to, counter);
  if (!posted) return std::nullopt;
  take_away(posted->number);
  return posted->notice;
}

NoticeBoard::Found NoticeBoard::find_place(PeId of, std::size_t least, std::size_t most) const {
  Found best;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const std::uint64_t key = words_->place_keys[i].load(std::memory_order_relaxed);
    if (key < key_of(of, least) || key >= key_of(of, most)) continue;
    if (best.key == 0 || key < best.key) best = {i, key};
  }
  return best;
}

// none: there was none, or another PE was faster.
std::optional<LentPlace> NoticeBoard::take_out(Found found) {
  std::atomic<std::uint64_t>& key = words_->place_keys[found.at];
  if (found.key == 0 || !key.compare_exchange_strong(found.key, kBusy, std::memory_order_acquire)) return std::nullopt;
  const LentPlace place = words_->places[found.at];
  key.store(0, std::memory_order_release);
  return place;
}

std::optional<LentPlace> NoticeBoard::take_place(PeId of, std::size_t bytes) { return take_out(find_place(of, bytes)); }

std::optional<std::uint32_t> NoticeBoard::withdraw(PeId of, std::size_t bytes) {
  const auto place = take_out(find_place(of, 0, bytes));
  return place ? std::optional(place->number) : std::nullopt;
}

bool NoticeBoard::lend(PeId of, std::size_t bytes, const LentPlace& place) {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    std::uint64_t free = 0;
    std::atomic<std::uint64_t>& key = words_->place_keys[i];
    if (key.load(std::memory_order_relaxed) != 0 ||
        !key.compare_exchange_strong(free, kBusy, std::memory_order_acquire))
      continue;
    words_->places[i] = place;
    key.store(key_of(of, bytes), std::memory_order_release);
    return true;
  }
  return false;
}

}  // namespace kaon::gpu
