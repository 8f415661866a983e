// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace kaon::ampi {

struct LayoutNode;

/// Where data lie in memory, in the order in which they are packed: `count` repetitions, `stride` bytes apart, of a run
/// of `bytes`, or of what `node` holds. A vector of a million blocks is one such value, not a list. A value that never
/// changes: parts that layouts have in common are shared between datatypes, and so between threads.
struct Layout {
  std::int64_t offset = 0;  // of the first repetition from the address of the buffer
  std::int64_t count = 0;
  std::int64_t stride = 0;
  std::int64_t bytes = 0;                  // data of one repetition
  std::shared_ptr<const LayoutNode> node;  // shared by layouts that repeat it; none: a run of `bytes`

  static Layout run(std::int64_t offset, std::int64_t bytes);

  std::int64_t size() const { return count * bytes; }
  bool is_empty() const { return size() == 0; }
  /// One run of bytes, which one memcpy packs.
  bool is_run() const { return !node && count <= 1; }
  /// Equal runs, equally far from each other: what a GPU packs with one kernel.
  bool is_strided() const { return !node; }

  Layout moved(std::int64_t bytes_further) const;
  Layout repeated(std::int64_t times, std::int64_t bytes_apart) const;
  /// The same as one repetition of something, so that to repeat it once more takes no memory.
  Layout as_one() const;
};

/// Runs of any places and lengths, or layouts one after the other.
struct LayoutNode {
  struct Block {
    std::int64_t offset;
    std::int64_t bytes;
    std::int64_t begin;  // of its data within those of the node
  };
  std::vector<Block> blocks;
  std::int64_t equal_bytes = 0;      // of each block, when all have as many
  std::vector<Layout> parts;         // when there are no blocks
  std::vector<std::int64_t> begins;  // of the parts
};

/// Layouts one after the other as one. Neighbours become one run, equal runs at equal distances one loop.
Layout joined(std::vector<Layout> parts);

}  // namespace kaon::ampi
