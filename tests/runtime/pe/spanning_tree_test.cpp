// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/spanning_tree.hpp"

#include <algorithm>
#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

// How often each PE is visited by a walk from the root.
void visit(const SpanningTree& tree, PeId pe, std::vector<int>& visits, PeId most_children) {
  ++visits[pe];
  PeId children = 0;
  tree.each_child(pe, [&](PeId child) {
    REQUIRE(tree.parent(child) == pe);
    REQUIRE_FALSE(tree.is_root(child));
    ++children;
    visit(tree, child, visits, most_children);
  });
  REQUIRE(children == tree.children(pe));
  REQUIRE(children <= most_children);
}

void check_from_any_root(const Roster& roster, PeId most_children) {
  for (PeId root = 0; root < roster.pes(); ++root) {
    const SpanningTree tree(root, roster);
    REQUIRE(tree.is_root(root));
    std::vector<int> visits(roster.pes(), 0);
    visit(tree, root, visits, most_children);
    REQUIRE(visits == std::vector<int>(roster.pes(), 1));
  }
}

std::vector<PeId> children_of(const SpanningTree& tree, PeId pe) {
  std::vector<PeId> children;
  tree.each_child(pe, [&](PeId child) { children.push_back(child); });
  return children;
}

// Uneven ones, and one whose processes were dealt to the hosts in turns.
const std::vector<std::vector<int>> kHosts{
    {0, 1}, {0, 0, 0, 1}, {1, 0, 0, 0, 0, 2}, {0, 1, 2, 0, 1, 2, 0}, {3, 3, 0, 1, 2, 2, 2, 2, 2, 0, 4, 5, 6, 7}};

}  // namespace

TEST_CASE("a spanning tree reaches every PE once, from any root", "[runtime][spanning_tree]") {
  for (int pes = 1; pes <= 40; ++pes) check_from_any_root(Roster(pes, 1), SpanningTree::kBranches);
}

TEST_CASE("a spanning tree over several hosts reaches every PE once, from any root", "[runtime][spanning_tree]") {
  for (const auto& hosts : kHosts)
    for (const int pes : {1, 2, 7}) check_from_any_root(Roster(hosts, pes), 2 * SpanningTree::kBranches);
}

TEST_CASE("a spanning tree crosses to each host but the root's once", "[runtime][spanning_tree]") {
  for (const auto& hosts : kHosts) {
    const Roster roster(hosts, 3);
    for (PeId root = 0; root < roster.pes(); ++root) {
      const SpanningTree tree(root, roster);
      int crossings = 0;
      for (PeId pe = 0; pe < roster.pes(); ++pe)
        if (pe != root && roster.host_of(tree.parent(pe)) != roster.host_of(pe)) ++crossings;
      REQUIRE(crossings == roster.hosts() - 1);
    }
  }
}

TEST_CASE("a PE that stands for its host has hosts and PEs below it", "[runtime][spanning_tree]") {
  const Roster roster(std::vector{0, 1, 1, 1}, 2);  // PEs 0 and 1; PEs 2 to 7
  const SpanningTree tree(4, roster);
  CHECK(children_of(tree, 4) == std::vector<PeId>{0, 5, 6, 7, 2});
  CHECK(children_of(tree, 5) == std::vector<PeId>{3});
  CHECK(children_of(tree, 0) == std::vector<PeId>{1});
}

TEST_CASE("the last PEs of the largest run are in the tree too", "[runtime][spanning_tree]") {
  const Roster roster(static_cast<int>(kMaxPes - 1), 1);
  const SpanningTree tree(kMaxPes - 2, roster);
  CHECK(tree.children(kMaxPes - 2) == SpanningTree::kBranches);
  CHECK(children_of(tree, kMaxPes - 2).front() == 0);
  CHECK(tree.children(kMaxPes - 3) == 0);
  CHECK(tree.parent(0) == kMaxPes - 2);
}
