// SPDX-License-Identifier: Apache-2.0
// A square cut into quarters, and these again where it is worth it: what blocks there are, and who is beside whom.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace adaptive {

enum Axis : std::uint8_t { kX, kY };

/// A square of the tree, and the index of its block. On level l there are 2^l along each axis; what leaves on one side
/// comes back on the other.
struct Node {
  int level = 0, x = 0, y = 0;

  friend auto operator<=>(const Node&, const Node&) = default;
  std::uint64_t number() const {
    return static_cast<std::uint64_t>(level) << 56 | static_cast<std::uint64_t>(x) << 28 |
           static_cast<std::uint64_t>(y);
  }
  static Node from_number(std::uint64_t number) {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << 28) - 1;
    return {static_cast<int>(number >> 56), static_cast<int>(number >> 28 & kMask), static_cast<int>(number & kMask)};
  }
  Node parent() const { return {level - 1, x / 2, y / 2}; }
  /// Its quarters have the numbers 0 to 3, x runs fastest.
  int quarter() const { return x % 2 + 2 * (y % 2); }
  Node child(int quarter) const { return {level + 1, 2 * x + quarter % 2, 2 * y + quarter / 2}; }
  Node beside(Axis axis, int by) const {
    const int count = 1 << level;
    return axis == kX ? Node{level, (x + by + count) % count, y} : Node{level, x, (y + by + count) % count};
  }
  int along(Axis axis) const { return axis == kX ? x : y; }
};

/// The blocks that there are, and the level that each wants to have. Neighbors differ by one level at most.
using Tree = std::map<Node, int>;

/// The blocks beside a block, on the side of lower (-1) or higher (1) coordinates: one no smaller, or two smaller.
inline std::vector<Node> neighbors(const Tree& tree, const Node& node, Axis axis, int side) {
  const Node beside = node.beside(axis, side);
  if (tree.contains(beside)) return {beside};
  if (node.level > 0 && tree.contains(beside.parent())) return {beside.parent()};
  std::vector<Node> both;
  for (int quarter = 0; quarter < 4; ++quarter)
    if (const Node child = beside.child(quarter); child.along(axis) % 2 == (side < 0 ? 1 : 0)) both.push_back(child);
  return both;
}

/// True if the four quarters of a block's parent are blocks that want to become one.
inline bool can_merge(const Tree& tree, const Node& node) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const auto at = tree.find(node.parent().child(quarter));
    if (at == tree.end() || at->second >= node.level) return false;
  }
  return true;
}

/// The level that a block can have, as its neighbors want theirs.
inline int possible_level(const Tree& tree, const Node& node, int wanted) {
  for (const Axis axis : {kX, kY})
    for (const int side : {-1, 1})
      for (const Node& each : neighbors(tree, node, axis, side))
        wanted = tree.at(each) - 1 > wanted ? tree.at(each) - 1 : wanted;
  return wanted < node.level && !can_merge(tree, node) ? node.level : wanted;
}

/// The tree that comes of what the blocks want, each one level more or less at most. Where that would set blocks beside
/// each other that are two levels apart, the larger one splits, or the smaller ones do not merge.
inline Tree next_tree(Tree tree) {
  for (bool any = true; any;) {
    any = false;
    for (auto& [node, wanted] : tree) {
      const int level = possible_level(tree, node, wanted);
      any |= level != wanted;
      wanted = level;
    }
  }
  Tree next;
  for (const auto& [node, level] : tree) {
    if (level < node.level)
      next[node.parent()] = level;
    else if (level == node.level)
      next[node] = level;
    else
      for (int quarter = 0; quarter < 4; ++quarter) next[node.child(quarter)] = level;
  }
  return next;
}

}  // namespace adaptive
