// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/lost_contributors.hpp"

#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {
namespace section_procedures {  // not unnamed: entries are told apart by their names

constexpr PeId kRootOfReductions = 0;

void member_ended(ElementTable& table, std::uint32_t section) {
  SectionPart* const part = table.sections().find(section);
  if (part == nullptr) return;
  part->has_lost = true;
  if (!part->reductions.empty()) throw_member_was_deleted(table);
}

}  // namespace section_procedures

void note_end_of_member(ElementTable& table, std::uint64_t element) {
  using namespace section_procedures;
  for (const std::uint32_t section : table.sections().with(element)) {
    std::erase(table.sections().at(section).homed, element);
    TableProcedure<&member_ended, Counting::counted>::send(table.pe(), kRootOfReductions, table.id(), section);
  }
}

void throw_member_was_deleted(const ElementTable& table) {
  throw UsageError("members of a section of an array of " + description_of(table) +
                   " were deleted, so contribute() cannot have a value of every member: use call_all() of the section, "
                   "or make a new section of those that are left");
}

void throw_deleted_before_contribution(const ElementTable& table) {
  throw UsageError("elements of an array of " + description_of(table) +
                   " were deleted, so contribute() cannot have a value of every element: use call_all() instead");
}

}  // namespace kaon::chares
