// SPDX-License-Identifier: Apache-2.0
// What is said of an array: its elements' names, and the messages that wait.
#include <string>
#include <vector>

#include "kaon/chares/elements/dense_index.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"

namespace kaon::chares {

void ElementTable::say_name(std::uint64_t element, ShortText& text) const {
  if (is_sparse()) {
    if (find_part<Seeds>() != nullptr) {
      text << "chare " << SparseLocations::count_in(element) << " that PE " << sparse_->home(element) << " made of "
           << type_in(type_.name, "C");
      return;
    }
    text << "element ";
    type_.say_index(element, text);
    text << " of a sparse array of " << type_in(type_.name, "C");
    return;
  }
  const Coordinates<Shape::kMostDimensions> at =
      DenseIndex<Coordinates<Shape::kMostDimensions>>::index(shape_, element);
  text << "element (" << at[0];
  for (std::size_t i = 1; i < shape_.dimensions(); ++i) text << ", " << at[i];
  text << ") of " << shape_.x;
  for (std::size_t i = 1; i < shape_.dimensions(); ++i) text << " x " << shape_.extent(i);
  text << " " << type_in(type_.name, "C");
}

std::uint64_t ElementTable::list_awaited(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = forwarding_.list_awaited(lines, most) + departures_.list_held_up(lines, most);
  each_part([&](const TablePart& part) { count += part.list_awaited(lines, most); });
  return count;
}

std::uint64_t ElementTable::list_unclaimed(std::vector<std::string>& lines, std::size_t most) const {
  return forwarding_.list_unclaimed(lines, most);
}

void throw_misplaced(std::string_view type, PeId pe, PeId pes) {
  throw UsageError(std::string(type_in(type, "C")) + "::place() named PE " + std::to_string(pe) +
                   ": the run has PEs 0 to " + std::to_string(pes - 1));
}

std::string description_of(const ElementTable& table) {
  const std::string type(type_in(table.type().name, "C"));
  return table.is_sparse() ? type + ", which is sparse," : to_string(table.shape()) + " " + type;
}

}  // namespace kaon::chares
