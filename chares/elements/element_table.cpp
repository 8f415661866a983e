// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/element_table.hpp"

#include <string>

#include "kaon/chares/elements/node_member.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/table_end.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

ElementTable::ElementTable(Pe& pe, CollectionId id, const ElementType& type, Shape shape, Map map)
    : Collection(type.family),
      pe_(pe),
      id_(id),
      type_(type),
      shape_(shape),
      locations_(Placement(map, shape.count(), pe.process().total_pes())),
      elements_(shape.is_sparse() ? Elements(Elements::Sparse{}) : Elements(locations_.placement(), pe.id())),
      forwarding_(*this) {
  if (!shape.is_sparse()) return;
  const bool is_of_singles = id >= CollectionTable::kFirstOfClass;
  sparse_ = std::make_unique<SparseLocations>(type, pe.id(), pe.process().total_pes(), is_of_singles);
  if (is_of_singles) part<Seeds>();
}

// What other PEs find goes before the element does.
ElementTable::~ElementTable() {
  parts_[static_cast<std::size_t>(TableSlot::node_member)].reset();
  elements_.each([&](ElementBase& element) { type_.destroy(element); });
}

ElementBase::Position position_in(ElementTable& table, std::uint64_t element, std::uint32_t next_reduction) {
  const std::uint64_t index = table.is_sparse() ? table.elements().reserve(element) : element;
  return {&table, index | std::uint64_t{next_reduction} << ElementAccess::kIndexBits};
}

void forgo(ElementTable& table, const ElementBase::Position& position, std::uint64_t element) {
  if (table.is_sparse()) table.elements().forgo(position.index_and_reduction & ElementAccess::kIndexMask);
  table.each_part([&](TablePart& part) { part.element_failed(element); });
}

PeId place_of(const ElementTable& table, std::uint64_t element) {
  return table.type().place(element, table.shape(), table.pe().process().total_pes());
}

// --- the coming and going of elements

void ElementTable::adopt(ElementBase& element) {
  elements_.add(element);
  reductions_.element_arrived(ElementAccess::next_reduction(element));
  forwarding_.deliver(number_of(element));
  if (end_ != nullptr) [[unlikely]]
    end_->element_came();
}

void ElementTable::remove(ElementBase& element) {
  const std::uint64_t number = number_of(element);
  elements_.remove(element);
  if (is_ending()) return look_for_end();
  reductions_.element_left();
  each_part([&](TablePart& part) { part.element_left(number); });
}

void free_landing(const Message& message) noexcept {
  ElementTable* const table = find_table(this_pe().collections(), message.collection);
  if (table != nullptr) table->holds().free(message.element, &message);
}

// --- the end

void ElementTable::begin_end(TableEnd& end) {
  end_ = &end;
  forwarding_.drop_all();
  each_part([](TablePart& part) { part.drop_messages(); });
}

void ElementTable::look_for_end() { end_->look_soon(); }

void destroy_tasks_of(ElementBase& element) { ElementAccess::suspended(element).clear(); }

void ElementTable::destroy_tasks() { elements_.each(destroy_tasks_of); }

}  // namespace kaon::chares
