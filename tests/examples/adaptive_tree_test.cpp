// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <random>

#include "examples/adaptive/field.hpp"
#include "examples/adaptive/tree.hpp"
#include "tests/support/catch.hpp"

using namespace adaptive;

namespace {

/// Of the whole square, counted in squares of level 10.
int area(const Tree& tree) {
  int area = 0;
  for (const auto& [node, level] : tree) area += 1 << 2 * (10 - node.level);
  return area;
}

bool is_balanced(const Tree& tree) {
  for (const auto& [node, level] : tree)
    for (const Axis axis : {kX, kY})
      for (const int side : {-1, 1})
        for (const Node& beside : neighbors(tree, node, axis, side))
          if (!tree.contains(beside) || std::abs(beside.level - node.level) > 1) return false;
  return true;
}

}  // namespace

TEST_CASE("a tree whose blocks want anything stays whole and balanced", "[adaptive]") {
  std::mt19937 random(7);
  Tree tree{{{0, 0, 0}, 0}};
  for (int round = 0; round < 200; ++round) {
    const int wish = round < 10 ? 1 : static_cast<int>(random() % 3) - 1;  // in some rounds all want to split, or merge
    for (auto& [node, level] : tree) {
      const int by = random() % 2 == 0 ? wish : static_cast<int>(random() % 3) - 1;
      level = std::min(5, std::max(0, node.level + by));
    }
    tree = next_tree(tree);
    REQUIRE(area(tree) == 1 << 20);
    REQUIRE(is_balanced(tree));
  }
}

TEST_CASE("four quarters merge when all of them want to, and not beside smaller ones", "[adaptive]") {
  Tree tree;
  for (int i = 0; i < 16; ++i) tree[{2, i % 4, i / 4}] = 1;
  CHECK(next_tree(tree).size() == 4);
  tree[{2, 3, 3}] = 2;
  CHECK(next_tree(tree).size() == 3 + 4);
  tree[{2, 3, 3}] = 3;  // becomes four, beside which others stay on all sides, as the square has no edge
  const Tree next = next_tree(tree);
  CHECK(next.contains({3, 7, 7}));
  for (const Node larger : {Node{1, 1, 0}, Node{1, 0, 1}, Node{1, 1, 1}}) CHECK_FALSE(next.contains(larger));
  CHECK(next.contains({1, 0, 0}));  // which only touches a corner
  CHECK(is_balanced(next));
}

TEST_CASE("a node has a number of its own", "[adaptive]") {
  for (const Node node : {Node{}, Node{10, 1023, 1}, Node{10, 1, 1023}, Node{3, 7, 7}}) {
    CHECK(Node::from_number(node.number()) == node);
    CHECK(node.child(3).parent() == node);
    CHECK(node.child(2).quarter() == 2);
  }
}

TEST_CASE("a field that is split and merged again is what it was, and drifts without loss", "[adaptive]") {
  Field field(8);
  field.set_initial(0.25, 0.25, 0.02);
  Field merged(8);
  for (int quarter = 0; quarter < 4; ++quarter) merged.set_quarter(quarter, field.finer(quarter));
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) CHECK(merged.at(x, y) == Approx(field.at(x, y)));
  const double sum = field.sum();
  const double corner = field.at(7, 7);
  field.drift({field.last(kX), field.last(kY)}, 0.3);
  CHECK(field.sum() == Approx(sum));
  CHECK(field.at(7, 7) != corner);
}
