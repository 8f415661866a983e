// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/spanning_tree.hpp"

#include <algorithm>
#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

// How often each PE is visited by a walk from the root.
void visit(const SpanningTree& tree, PeId pe, std::vector<int>& visits) {
  ++visits[pe];
  PeId children = 0;
  tree.each_child(pe, [&](PeId child) {
    REQUIRE(tree.parent(child) == pe);
    REQUIRE_FALSE(tree.is_root(child));
    ++children;
    visit(tree, child, visits);
  });
  REQUIRE(children == tree.children(pe));
  REQUIRE(children <= SpanningTree::kBranches);
}

}  // namespace

TEST_CASE("a spanning tree reaches every PE once, from any root", "[runtime][spanning_tree]") {
  for (PeId pes = 1; pes <= 40; ++pes)
    for (PeId root = 0; root < pes; ++root) {
      const SpanningTree tree(root, pes);
      REQUIRE(tree.is_root(root));
      std::vector<int> visits(pes, 0);
      visit(tree, root, visits);
      REQUIRE(visits == std::vector<int>(pes, 1));
    }
}

TEST_CASE("the last PEs of the largest run are in the tree too", "[runtime][spanning_tree]") {
  const SpanningTree tree(kMaxPes - 2, kMaxPes - 1);
  CHECK(tree.children(kMaxPes - 2) == SpanningTree::kBranches);
  PeId first = kMaxPes;
  tree.each_child(kMaxPes - 2, [&](PeId child) { first = std::min(first, child); });
  CHECK(first == 0);
  CHECK(tree.children(kMaxPes - 3) == 0);
  CHECK(tree.parent(0) == kMaxPes - 2);
}
