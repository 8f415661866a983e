// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime::archive {

// One more container inside another, while it lives. Each takes stack; a type that holds containers of itself must not
// let a few bytes a level exhaust it, so what is deeper is neither sent nor received.
class Level {
 public:
  explicit Level(int& levels) : levels_(levels) { ++levels_; }
  ~Level() { --levels_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  bool is_too_deep() const { return levels_ > kMost; }

 private:
  static constexpr int kMost = 1000;
  int& levels_;
};

}  // namespace kaon::runtime::archive
