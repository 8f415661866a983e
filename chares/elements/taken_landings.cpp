// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/taken_landings.hpp"

#include <algorithm>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

void TakenLandings::check(const void* data, std::size_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(data);
  const bool is_taken = std::any_of(taken_.begin(), taken_.end(), [&](const Range& range) {
    return begin < range.end && range.begin < begin + bytes;
  });
  if (is_taken)
    throw UsageError("a post rule gave the same landing to two payloads of " + std::to_string(bytes) +
                     " bytes: the entry of the first message has not ended yet, and its data would be lost. Give each "
                     "message that can be under way memory of its own, or pooled()");
}

void TakenLandings::take(const void* key, const void* data, std::size_t bytes) {
  check(data, bytes);
  const auto* begin = static_cast<const std::byte*>(data);
  taken_.push_back({key, begin, begin + bytes});
}

void TakenLandings::change_key(const void* from, const void* to) {
  for (Range& range : taken_)
    if (range.key == from) range.key = to;
}

void TakenLandings::let_go(const void* key) {
  taken_.erase(std::remove_if(taken_.begin(), taken_.end(), [&](const Range& range) { return range.key == key; }),
               taken_.end());
}

}  // namespace kaon::chares
