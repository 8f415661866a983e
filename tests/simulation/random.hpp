// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::testing::simulation {

/// Numbers from a seed, the same wherever they are asked for. Two words, so that any message may bring a seed of its
/// own and what it leads to does not depend on when it comes.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
  }
  /// From 0 to one below `count`.
  template <class T>
  T below(T count) {
    return static_cast<T>(next() % static_cast<std::uint64_t>(count));
  }
  template <class T>
  T between(T first, T last) {
    return static_cast<T>(first + below(last - first + 1));
  }
  bool chance(unsigned percent) { return below(100u) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace kaon::testing::simulation
