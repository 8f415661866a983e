// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

/// A node of a tree that nobody stores: what follows from its number says how many children it has, and theirs.
struct Node {
  std::uint64_t number;
  std::uint32_t depth;

  static constexpr std::uint32_t kDepth = 22;
  KAON_DEVICE constexpr std::uint64_t hash() const {
    std::uint64_t h = (number + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    return h ^ (h >> 31);
  }
  /// Unbalanced: most have none or one, few have many.
  KAON_DEVICE constexpr std::uint32_t children() const {
    if (depth == kDepth) return 0;
    const std::uint64_t chance = hash() % 16;
    if (depth < 6) return 3;
    return chance < 5 ? 0 : chance < 12 ? 1 : chance < 15 ? 2 : 5;
  }
  KAON_DEVICE constexpr Node child(std::uint32_t i) const { return {hash() + i, depth + 1}; }
};

struct Counter {
  std::uint64_t nodes;
  const kaon::gpu::DeviceObject<Counter>* all;
  std::uint32_t count;
};

/// Counts a node, and has its children counted wherever their numbers lead. Where rings are full, it counts below it
/// itself, depth first.
struct Visit {
  using Object = Counter;
  Node node;
  template <class At>
  KAON_DEVICE void operator()(At& at, Counter& self) const {
    if (!at.is_first()) return;
    Node waiting[5 * Node::kDepth];
    unsigned left = 0;
    waiting[left++] = node;
    while (left > 0) {
      const Node here = waiting[--left];
      ++self.nodes;
      for (std::uint32_t i = 0; i < here.children(); ++i) {
        const Node child = here.child(i);
        if (at.is_crowded())
          waiting[left++] = child;
        else
          at.send(self.all[child.hash() % self.count], Visit{child});
      }
    }
  }
};

struct Take {
  using Object = Counter;
  template <class At>
  KAON_DEVICE std::uint64_t operator()(At&, Counter& self) const {
    return self.nodes;
  }
};

using TreeEntries = kaon::gpu::DeviceEntriesWithGuests<Visit, Take>;
KAON_DEVICE_ENTRIES(TreeEntries);
