// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// Where a node stands in a Ring or in one of HashedLists.
template <class Node>
struct Links {
  Node* previous = nullptr;
  Node* next = nullptr;
  std::uint64_t hash = 0;
};

/// Nodes in the order in which they were added, known by the first one. They have `links`, and are somebody else's.
template <class Node>
class Ring {
 public:
  static void add(Node*& first, Node& node) {
    if (first == nullptr) first = node.links.previous = node.links.next = &node;
    if (first == &node) return;
    node.links.previous = first->links.previous;
    node.links.next = first;
    first->links.previous = node.links.previous->links.next = &node;
  }
  static void remove(Node*& first, Node& node) {
    node.links.previous->links.next = node.links.next;
    node.links.next->links.previous = node.links.previous;
    if (first == &node) first = node.links.next != &node ? node.links.next : nullptr;
    node.links.previous = node.links.next = nullptr;
  }
};

/// Nodes by the hash of something, those of one hash in the order in which they were added.
template <class Node>
class HashedLists {
 public:
  void add(std::uint64_t hash, Node& node) {
    Node* const first = firsts_.find(hash).value_or(nullptr);
    Node* now = first;
    node.links.hash = hash;
    Ring<Node>::add(now, node);
    if (now != first) firsts_.set(hash, now);
  }
  void remove(Node& node) {
    Node* const first = *firsts_.find(node.links.hash);
    Node* now = first;
    Ring<Node>::remove(now, node);
    if (now == nullptr)
      firsts_.erase(node.links.hash);
    else if (now != first)
      firsts_.set(node.links.hash, now);
  }
  /// The first of those that `is_it`; nullptr: there is none.
  template <class IsIt>
  Node* find(std::uint64_t hash, IsIt is_it) const {
    Node* const first = firsts_.find(hash).value_or(nullptr);
    for (Node* node = first; node != nullptr; node = node->links.next != first ? node->links.next : nullptr)
      if (is_it(*node)) return node;
    return nullptr;
  }

 private:
  NumberMap<Node*> firsts_;  // by hash
};

}  // namespace kaon::chares
