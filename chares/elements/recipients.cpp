// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/recipients.hpp"

#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

Recipients::Recipients(ElementTable& table, std::vector<std::uint64_t> numbers, Kind kind)
    : table_(&table), numbers_(std::move(numbers)), places_(numbers_.size()), here_(table.pe().id()), kind_(kind) {}

// The numbers of a sparse array are taken down at once: its elements change places while they come and go.
Recipients Recipients::at_home(ElementTable& table) {
  if (!table.is_sparse()) {
    Recipients all(table, {}, Kind::slots);
    all.places_ = table.locations().placement().homed(table.pe().id());
    return all;
  }
  const SparseLocations& locations = table.sparse_locations();
  std::vector<std::uint64_t> numbers;
  numbers.reserve(table.elements().count());
  table.elements().each([&](ElementBase& element) {
    const std::uint64_t number = table.number_of(element);
    if (locations.is_home(number)) numbers.push_back(number);
  });
  locations.each_known([&](std::uint64_t number) {
    if (table.find(number) == nullptr) numbers.push_back(number);
  });
  return {table, std::move(numbers), Kind::homed_list};
}

std::optional<PeId> Recipients::whereabouts(std::uint64_t number) const {
  if (table_->is_sparse()) {
    const SparseLocations& locations = table_->sparse_locations();
    return locations.is_home(number) ? locations.known(number) : locations.home(number);
  }
  if (table_->locations().is_deleted(number)) return {};
  return table_->locations().find(number);
}

bool FoundElsewhere::add(PeId pe, std::uint64_t number) {
  auto place = place_of_.find(pe);
  if (!place) {
    place = numbers_.size();
    place_of_.set(pe, *place);
    numbers_.push_back({pe, {}});
  }
  numbers_[*place].second.push_back(number);
  return numbers_[*place].second.size() >= kMostAtOnce;
}

}  // namespace kaon::chares
