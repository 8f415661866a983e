// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/contributors.hpp"

#include "kaon/chares/collectives/callback_contribution.hpp"
#include "kaon/chares/collectives/census_taking.hpp"
#include "kaon/chares/elements/lost_contributors.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

Reductions* Contributors::reductions() const {
  if (section_ == 0) return &table_->reductions();
  SectionPart* const part = table_->sections().find(section_);
  return part != nullptr ? &part->reductions : nullptr;
}

std::uint32_t Contributors::take_number(ElementBase& element) const {
  if (section_ == 0) {
    if (table_->find_part<Seeds>() != nullptr)
      throw UsageError("contribute() of " + table_->name_of(table_->number_of(element)) +
                       ", which is in no array: there is nobody to combine its value with");
    table_->reductions().note_contribution();
    return ElementAccess::take_reduction(element);
  }
  SectionPart& part = table_->sections().at(section_);
  const std::uint64_t number = table_->number_of(element);
  if (!part.has(number))
    throw UsageError("contribute(section, ...): " + table_->name_of(number) + " is no member of this section");
  const std::uint64_t next = part.turns.find(number).value_or(0);
  part.turns.set(number, (next + 1) & ElementAccess::kReductionMask);
  return static_cast<std::uint32_t>(next);
}

std::uint64_t Contributors::count() const {
  return section_ == 0 ? table_->locations().placement().count() : table_->sections().at(section_).members.size();
}

// How many members of a section live here nobody counts, nor who of a sparse array takes part already: what has come
// goes up when what was ready before has been run.
bool Contributors::may_be_all_of_this_pe(std::uint64_t local, std::uint32_t number) const {
  if (section_ != 0 || table_->is_sparse()) return true;
  return local >= table_->elements().count() || table_->reductions().may_have_contributed_elsewhere(number);
}

bool Contributors::are_counted() const { return section_ == 0 && table_->is_sparse(); }

void Contributors::note_value_at_root() const { CensusTaking::note_change(*table_); }

void Contributors::note_result(std::uint32_t number) const {
  if (!are_counted()) return;
  table_->census().settle(number);
  if (table_->reductions().find(table_->census().next()) != nullptr && table_->pe().id() == 0)
    CensusTaking::note_change(*table_);
}

void Contributors::check_none_was_deleted() const {
  if (section_ != 0) {
    if (table_->sections().at(section_).has_lost) throw_member_was_deleted(*table_);
  } else if (table_->locations().has_deleted()) {
    throw_deleted_before_contribution(*table_);
  }
}

std::string Contributors::describe(std::uint32_t number) const {
  return "for contribution " + std::to_string(number) + " of the others of its " +
         (section_ == 0 ? "array" : "section");
}

namespace contributors {

std::uint32_t check_section(const ElementTable& table, CollectionId array, std::uint32_t section) {
  if (section == 0) throw UsageError("contribute(section, ...): a section that names nothing; section() gives one");
  if (array != table.id()) throw UsageError("contribute(section, ...): a section of another array");
  return section;
}

void throw_different_callbacks() {
  throw UsageError(
      "elements contribute to the same reduction with different callbacks: the result goes to one target, which every "
      "element must name, with the same priority");
}

}  // namespace contributors
}  // namespace kaon::chares
