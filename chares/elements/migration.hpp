// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/inbox.hpp"
#include "kaon/chares/elements/location.hpp"
#include "kaon/runtime/work/errand.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/handler.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

template <class C>
class Chare;

/// Throws UsageError when the element cannot leave for `to`.
void check_migration(Pe& pe, const ElementBase& element, PeId to);

/// Throws UsageError when a chare that left has taken messages along to nowhere.
void check_nothing_lost(const ElementTable& table, std::uint64_t element);

/// The move of one chare to another PE: packed here, unpacked there, its new place told to its home.
template <class C>
class Migration final : Work, Errand {
 public:
  static void start(ElementTable& table, ElementBase& element, PeId to) {
    static_assert(std::is_default_constructible_v<C>,
                  "migrate_to: the class needs a default constructor, to be made anew where it goes");
    static_cast<void>(require_serializable<C, ClassToMigrate>());
    Pe& pe = table.pe();
    auto* self = new (pe.pool().allocate(sizeof(Migration))) Migration(table, ElementTable::index_of(element), to);
    pe.made();
    pe.enqueue(*self);
  }

  // Handler.
  static void arrive(Pe& pe, CollectionId id, std::uint64_t packed_place, std::uint32_t moves,
                     std::vector<std::byte> bytes) {
    Collection* collection = pe.collection(id);
    if (collection == nullptr)  // elsewhere the array is made already and at work: come again
      return Handler<&arrive, Counting::counted>::send(pe, pe.id(), id, packed_place, moves, std::move(bytes));
    if (collection->chare_type() != &chare_type_of<C>)
      throw CorruptMessage("a chare arrived for an array that is not there");
    auto& table = static_cast<ElementTable&>(*collection);
    std::unique_ptr<C> chare;
    {
      const ElementTable::Construction place(table, packed_place);
      chare = std::make_unique<C>();
    }
    Reader in(bytes.data(), bytes.size());
    in(*chare);
    const std::uint64_t index = ElementTable::index_of(*chare);
    table.learn(index, {pe.id(), moves});
    table.adopt(*chare.release());
  }

 private:
  Migration(ElementTable& table, std::uint64_t index, PeId to)
      : Errand(table.pe().errands()), table_(table), index_(index), to_(to) {
    run = &move;
  }

  void abandon() noexcept override {
    Pool& pool = table_.pe().pool();
    this->~Migration();
    pool.release(this, sizeof(Migration));
  }

  static void move(Work& work, Pe& pe) {
    auto& self = static_cast<Migration&>(work);
    ElementTable& table = self.table_;
    const std::uint64_t index = self.index_;
    const PeId to = self.to_;
    if (table.is_held(index)) return pe.enqueue(self);
    self.abandon();
    ElementBase* element = table.find(index);
    if (element != nullptr && to != pe.id()) {
      check_migration(pe, *element, to);
      leave(table, *element, to);
    }
    pe.done();
  }

  static void leave(ElementTable& table, ElementBase& element, PeId to) {
    auto* chare = static_cast<C*>(static_cast<Chare<C>*>(&element));
    const std::uint64_t index = ElementTable::index_of(element);
    const Whereabouts now{to, table.whereabouts(index).moves + 1};
    Writer size(nullptr, 0);
    size(*chare);
    std::vector<std::byte> bytes(size.bytes());
    Writer out(bytes.data(), bytes.size());
    out(*chare);
    using Arrive = Handler<&arrive, Counting::counted>;
    Arrive::send(table.pe(), to, table.id(), ElementTable::packed_place_of(element), now.moves, std::move(bytes));
    table.remove(element);
    table.learn(index, now);
    const PeId home = table.placement().home(index);
    if (home != table.pe().id()) tell_location(table.pe(), home, table.id(), index, now);
    if (home != to) tell_location(table.pe(), to, table.id(), index, now);  // so that early messages wait for it there
    inbox::take_lost();
    delete chare;
    check_nothing_lost(table, index);
  }

  ElementTable& table_;
  std::uint64_t index_;
  PeId to_;
};

}  // namespace kaon::chares
