// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

#include "kaon/chares/chare.hpp"
#include "kaon/chares/elements/insertion.hpp"

namespace kaon::chares {

template <class C, class I, class B>
template <class D, class... A>
void Chare<C, I, B>::make_mate(CollectionId bound, A... arguments) {
  ElementTable& mates = proxy::table_of(table().pe(), bound);
  const std::uint64_t number = table().number_of(*this);
  std::uint32_t first_reduction = 0;
  if (mates.is_sparse()) mates.census().born(first_reduction = mates.census().first_of_newcomer());
  const ElementBase::Position position = mates.position(number, first_reduction);
  std::unique_ptr<D> made;
  try {
    const ElementBase::Construction construction(position);
    made = std::make_unique<D>(std::move(arguments)...);
  } catch (...) {
    mates.forgo(position);
    throw;
  }
  mates.adopt(*made.release());
  bonds::note_made(mates, number);
}

}  // namespace kaon::chares
