// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

/// The same numbers on every machine, by its seed.
class Random {
 public:
  explicit Random(std::initializer_list<std::uint64_t> seeds) {
    for (const std::uint64_t seed : seeds) state_ = mixed(state_ + seed);
  }

  static std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
    value = (value ^ value >> 27) * 0x94d049bb133111ebU;
    return value ^ value >> 31;
  }

  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
  bool one_in(int count) { return below(count) == 0; }

  template <typename T>
  const T& choose(const std::vector<T>& among) {
    return among[static_cast<std::size_t>(below(static_cast<int>(among.size())))];
  }

 private:
  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15U); }

  std::uint64_t state_ = 0;
};
