// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/location.hpp"
#include "kaon/runtime/work/errand.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

template <class C>
class Chare;

/// The end of one chare, when the entry that runs now has ended and what is being received into its memory is there.
/// Its PE and its home PE remember it, and drop what still comes for it.
template <class C>
class Deletion final : Work, Errand {
 public:
  static void start(ElementTable& table, ElementBase& element) {
    Pe& pe = table.pe();
    auto* self = new (pe.pool().allocate(sizeof(Deletion))) Deletion(table, ElementTable::index_of(element));
    pe.made();
    pe.enqueue(*self);
  }

 private:
  Deletion(ElementTable& table, std::uint64_t index) : Errand(table.pe().errands()), table_(table), index_(index) {
    run = &end_element;
  }

  void abandon() noexcept override {
    Pool& pool = table_.pe().pool();
    this->~Deletion();
    pool.release(this, sizeof(Deletion));
  }

  static void end_element(Work& work, Pe& pe) {
    auto& self = static_cast<Deletion&>(work);
    ElementTable& table = self.table_;
    const std::uint64_t index = self.index_;
    if (table.is_held(index)) return pe.enqueue(self);
    self.abandon();
    if (ElementBase* element = table.find(index)) {  // else it was deleted twice
      ElementTable::destroy_tasks_of(*element);
      table.remove(*element);
      tell_deletion(table, index);
      delete static_cast<C*>(static_cast<Chare<C>*>(element));
    }
    pe.done();
  }

  ElementTable& table_;
  std::uint64_t index_;
};

}  // namespace kaon::chares
