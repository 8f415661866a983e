// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "kaon/runtime/ports/roster.hpp"

namespace kaon::runtime {

/// Numbers 0 to count - 1 as a tree of four branches a node, rooted at any of them. Nothing is stored: places in the
/// tree are numbers counted from the root, around the end.
class NumberTree {
 public:
  static constexpr PeId kBranches = 4;

  NumberTree(PeId root, PeId count) : root_(root), count_(count) {}

  PeId root() const { return root_; }
  /// The parent of a number that is not the root.
  PeId parent(PeId number) const { return at((place(number) - 1) / kBranches); }
  template <class Visit>
  void each_child(PeId number, Visit visit) const {
    for (PeId place = begin(number), last = end(number); place < last; ++place) visit(at(place));
  }

 private:
  PeId place(PeId number) const { return number >= root_ ? number - root_ : number + count_ - root_; }
  PeId at(PeId place) const { return place < count_ - root_ ? place + root_ : place - (count_ - root_); }
  PeId begin(PeId number) const { return std::min(count_, place(number) * kBranches + 1); }
  PeId end(PeId number) const { return std::min(count_, place(number) * kBranches + 1 + kBranches); }

  PeId root_, count_;
};

/// The PEs of a run as a tree, rooted at any of them: a tree of hosts, and in each host a tree of its PEs, so that news
/// cross to a host once. The first PE of a host (on the root's host: the root) stands for it among the hosts.
class SpanningTree {
 public:
  /// PEs of its host below a PE; as many hosts again below one that stands for its host.
  static constexpr PeId kBranches = NumberTree::kBranches;

  /// `roster` outlives the tree.
  SpanningTree(PeId root, const Roster& roster)
      : root_(root),
        roster_(roster),
        hosts_(static_cast<PeId>(roster.host_of(root)), static_cast<PeId>(roster.hosts())) {}

  bool is_root(PeId pe) const { return pe == root_; }
  /// The parent of a PE that is not the root.
  PeId parent(PeId pe) const {
    const int host = roster_.host_of(pe);
    const NumberTree tree = within(host);
    const PeId index = roster_.index_on_host(pe);
    if (index != tree.root()) return roster_.pe_on_host(host, tree.parent(index));
    return head(hosts_.parent(static_cast<PeId>(host)));
  }

  PeId children(PeId pe) const {
    PeId count = 0;
    each_child(pe, [&count](PeId) { ++count; });
    return count;
  }

  /// Those on other hosts first: they have the longer way.
  template <class Visit>
  void each_child(PeId pe, Visit visit) const {
    const int host = roster_.host_of(pe);
    const NumberTree tree = within(host);
    const PeId index = roster_.index_on_host(pe);
    if (index == tree.root()) hosts_.each_child(static_cast<PeId>(host), [&](PeId below) { visit(head(below)); });
    tree.each_child(index, [&](PeId below) { visit(roster_.pe_on_host(host, below)); });
  }

 private:
  NumberTree within(int host) const {
    const bool has_root = static_cast<PeId>(host) == hosts_.root();
    return {has_root ? roster_.index_on_host(root_) : 0, roster_.pes_on_host(host)};
  }
  PeId head(PeId host) const {
    const auto number = static_cast<int>(host);
    return roster_.pe_on_host(number, within(number).root());
  }

  PeId root_;
  const Roster& roster_;
  NumberTree hosts_;
};

class Pe;
/// That of the run which a PE takes part in.
SpanningTree tree_from(PeId root, Pe& pe);

}  // namespace kaon::runtime
