// SPDX-License-Identifier: Apache-2.0
// What is said of an array: its elements' names, and the messages that wait.
#include <string>
#include <vector>

#include "kaon/chares/elements/dense_index.hpp"
#include "kaon/chares/elements/departure.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::chares {

void ElementTable::say_name(std::uint64_t element, ShortText& text) const {
  if (is_sparse()) {
    if (is_of_singles()) {
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

std::uint64_t ElementTable::list_waiting(std::uint64_t element, const WorkList& messages,
                                         std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  for (const Work* work = messages.first(); work != nullptr; work = work->next, ++count) {
    const auto& message = static_cast<const Message&>(*work);
    if (lines.size() < most)
      lines.push_back("a message from PE " + std::to_string(message.source) + " to " +
                      readable_name(message.entry->name) + ", for " + name_of(element) + ", which is not there");
  }
  return count;
}

std::uint64_t ElementTable::list_awaited(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  awaiting_.each(
      [&](std::uint64_t element, const WorkList* messages) { count += list_waiting(element, *messages, lines, most); });
  departures_.each([&](std::uint64_t, const Departure* departure) {
    if (!departure->is_held_up()) return;
    ++count;
    if (lines.size() < most) lines.push_back(departure->describe());
  });
  if (has_orders()) count += orders_->list_held(lines, most);
  return count;
}

/// Elements of dense arrays were all made: one that is awaited is on its way. Of a sparse one the home knows.
bool ElementTable::is_known(std::uint64_t element) const {
  return !is_sparse() || !sparse_->is_home(element) || sparse_->known(element);
}

std::uint64_t ElementTable::list_unclaimed(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  awaiting_.each([&](std::uint64_t element, const WorkList* messages) {
    if (!is_known(element)) count += list_waiting(element, *messages, lines, most);
  });
  return count;
}

void throw_misplaced(std::string_view type, PeId pe, PeId pes) {
  throw UsageError(std::string(type_in(type, "C")) + "::place() named PE " + std::to_string(pe) +
                   ": the run has PEs 0 to " + std::to_string(pes - 1));
}

std::string ElementTable::description() const {
  if (is_sparse()) return std::string(type_in(type_.name, "C")) + ", which is sparse,";
  return to_string(shape_) + " " + std::string(type_in(type_.name, "C"));
}

}  // namespace kaon::chares
