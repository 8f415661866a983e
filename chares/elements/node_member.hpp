// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/chares/elements/table_part.hpp"

namespace kaon::chares {

class ElementBase;
class ElementTable;

/// The one element of a node group that a process has, as the PEs of the process find it.
class NodeMember final : public TablePart {
 public:
  static constexpr TableSlot kSlot = TableSlot::node_member;

  explicit NodeMember(ElementTable& table) : table_(table) {}
  /// On the PE of the element: nobody finds it any more.
  ~NodeMember() override;

  /// Other PEs of the process find the element from now on.
  void publish(ElementBase& element);
  /// nullptr: it has yet to be made.
  ElementBase* find() {
    if (element_ == nullptr) [[unlikely]]
      look();
    return element_;
  }

 private:
  void look();

  ElementTable& table_;
  ElementBase* element_ = nullptr;  // nullptr: not looked for, or not there yet
  bool is_of_this_pe_ = false;
};

}  // namespace kaon::chares
