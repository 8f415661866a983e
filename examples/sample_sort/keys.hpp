// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sample_sort {

using Key = std::uint64_t;
using Keys = std::vector<Key>;

/// Which keys there are. Each is known by its number, so that any part makes its own, and who checks makes all.
struct Input {
  std::uint64_t count = 1'000'000;
  std::uint64_t seed = 1;
  std::string distribution = "uniform";  // or skewed: half of them are one of four; or equal

  Key key(std::uint64_t number) const {
    std::uint64_t bits = (number + seed * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 31) * 0x94d049bb133111ebu;
    bits ^= bits >> 29;
    if (distribution == "equal") return seed;
    return distribution == "skewed" && bits % 2 == 0 ? bits % 8 : bits;
  }
  /// Part i of `parts` begins with this number.
  std::uint64_t first_of(int i, int parts) const {
    return count * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(parts);
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(count, seed, distribution);
  }
};

/// A digest of keys and their places. Those of parts of an array add up to that of all.
inline std::uint64_t digest(const Keys& keys, std::uint64_t place_of_first) {
  std::uint64_t sum = 0;
  for (const Key key : keys) {
    const std::uint64_t mixed = (key ^ ++place_of_first * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    sum += mixed ^ mixed >> 32;
  }
  return sum;
}

/// Where sorted keys are cut for one bucket more than there are splitters. Several splitters that are equal share those
/// keys that are equal to them, with the bucket behind the last of them.
inline std::vector<std::size_t> cuts(const Keys& sorted, const Keys& splitters) {
  std::vector<std::size_t> places{0};
  for (std::size_t i = 0; i < splitters.size(); ++i) {
    const auto keys = std::equal_range(sorted.begin(), sorted.end(), splitters[i]);
    const auto alike = std::equal_range(splitters.begin(), splitters.end(), splitters[i]);
    const auto shares = alike.second - alike.first + 1;
    const auto share = static_cast<std::ptrdiff_t>(i) - (alike.first - splitters.begin()) + 1;
    places.push_back(
        static_cast<std::size_t>(keys.first - sorted.begin() + (keys.second - keys.first) * share / shares));
  }
  places.push_back(sorted.size());
  return places;
}

}  // namespace sample_sort
