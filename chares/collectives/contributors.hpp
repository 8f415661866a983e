// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "kaon/chares/elements/element_table.hpp"

namespace kaon::chares {

/// Whose values a reduction combines: of all elements of an array, or of the members of a section of it; as one PE sees
/// them.
class Contributors {
 public:
  /// `section` 0: all elements.
  Contributors(ElementTable& table, std::uint32_t section) : table_(&table), section_(section) {}

  ElementTable& table() const { return *table_; }
  std::uint32_t section() const { return section_; }
  /// nullptr: the section was destroyed.
  Reductions* reductions() const;
  /// Takes the number of the reduction that the element contributes to now. Throws UsageError for a non-member.
  std::uint32_t take_number(ElementBase& element) const;

  /// How many there are, for the root of the tree.
  std::uint64_t count() const;
  /// True if no more contributions are to come on this PE, or if that is unknown. `local`: contributions so far.
  bool may_be_all_of_this_pe(std::uint64_t local, std::uint32_t number) const;
  /// True if only a census gives the count, as in a sparse array. Then the root calls note_value_at_root() per arrival.
  bool are_counted() const;
  void note_value_at_root() const;
  /// The result is here; what was contributed to it is forgotten.
  void note_result(std::uint32_t number) const;
  /// On the root. Throws UsageError.
  void check_none_was_deleted() const;
  /// Describes the awaited contributions, for a report of what a task waits for.
  std::string describe(std::uint32_t number) const;

 private:
  ElementTable* table_;
  std::uint32_t section_;
};

namespace contributors {

/// Its number; throws UsageError for a section of another array, and for one that was made by default.
std::uint32_t check_section(const ElementTable& table, CollectionId array, std::uint32_t section);

}  // namespace contributors
}  // namespace kaon::chares
