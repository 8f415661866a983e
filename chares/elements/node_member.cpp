// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/node_member.hpp"

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

NodeMember::~NodeMember() {
  if (is_of_this_pe_) table_.pe().process().node_members().remove(table_.id());
}

void NodeMember::publish(ElementBase& element) {
  table_.pe().process().node_members().add(table_.id(), element_ = &element);
  is_of_this_pe_ = true;
}

void NodeMember::look() {
  element_ = static_cast<ElementBase*>(table_.pe().process().node_members().find(table_.id()));
}

}  // namespace kaon::chares
