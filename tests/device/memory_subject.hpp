// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kaon/gpu/device/memory.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::memory {

using namespace kaon::gpu;

inline constexpr std::size_t kMiB = std::size_t{1} << 20;

/// An arena over an emulated device, the memory of two PEs there, and two streams that have reached nothing.
struct Subject {
  explicit Subject(std::size_t bytes = 1024 * kMiB, Arena::Settings settings = {.is_emulated = true})
      : driver(make_host_driver({.memory_bytes = bytes, .seed = 1})), arena(*driver, regions, of(bytes, settings)) {}
  static Arena::Settings of(std::size_t bytes, Arena::Settings settings) {
    if (settings.kind == Arena::Kind::device) settings.most_bytes = std::min(settings.most_bytes, bytes);
    return settings;
  }
  Block& take(std::size_t bytes, const StreamState* user = nullptr) {
    Block* block = memory.take(bytes, user);
    REQUIRE(block != nullptr);
    return *block;
  }
  void give_back(Block& block, Position last_use = {}) { memory.give_back(block, last_use); }
  std::size_t slab_bytes() const { return arena.facts().slab_bytes; }
  Region* find(const void* pointer) { return view.find(pointer); }
  bool is_live(const void* pointer, std::size_t bytes) {
    Region* region = find(pointer);
    return region != nullptr && memory.find_own(*region, pointer, bytes) != nullptr;
  }

  std::unique_ptr<Driver> driver;
  RegionTable regions;
  RegionView view{regions};
  Arena arena;
  Memory memory{arena}, others{arena};
  StreamState first, second;
};

}  // namespace kaon::testing::memory
