// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {

/// The PEs of a run as a tree of four branches a node, rooted at any of them. Nothing is stored: places in the tree
/// are PE numbers counted from the root, around the end.
class SpanningTree {
 public:
  static constexpr PeId kBranches = 4;

  SpanningTree(PeId root, PeId pes) : root_(root), pes_(pes) {}

  bool is_root(PeId pe) const { return pe == root_; }
  PeId parent(PeId pe) const { return pe_at((place(pe) - 1) / kBranches); }

  PeId children(PeId pe) const { return end(pe) - begin(pe); }

  template <class Visit>
  void each_child(PeId pe, Visit visit) const {
    for (PeId at = begin(pe); at < end(pe); ++at) visit(pe_at(at));
  }

 private:
  PeId place(PeId pe) const { return pe >= root_ ? pe - root_ : pe + pes_ - root_; }
  PeId pe_at(PeId place) const { return static_cast<PeId>((std::uint64_t{place} + root_) % pes_); }
  PeId begin(PeId pe) const { return std::min(pes_, place(pe) * kBranches + 1); }
  PeId end(PeId pe) const { return std::min(pes_, place(pe) * kBranches + 1 + kBranches); }

  PeId root_, pes_;
};

}  // namespace kaon::runtime
