// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

#include "kaon/chares/chare.hpp"
#include "kaon/chares/lifecycle/insertion.hpp"

namespace kaon::chares {

template <class C, class I, class B>
template <class D, class... A>
void Chare<C, I, B>::make_mate(CollectionId bound, A... arguments) {
  ElementTable& mates = proxy::table_of(table().pe(), bound);
  const std::uint64_t number = table().number_of(*this);
  std::unique_ptr<D> made;
  {
    const ElementBase::Construction construction(position_in(mates, number, 0));
    made = std::make_unique<D>(std::move(arguments)...);
  }
  mates.adopt(*made.release());
  bonds::note_made(mates, number);
}

template <class C, class I, class B>
template <class D, class... A>
Task<> Chare<C, I, B>::insert_mate(CollectionId bound, A... arguments) {
  co_await Element<D>(bound, table().number_of(*this)).insert_and_wait(std::move(arguments)...);
}

}  // namespace kaon::chares
