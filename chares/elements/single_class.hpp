// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/typed_record.hpp"

namespace kaon::chares {

/// The collection of the single chares of a class. Its number is the same on all PEs: the class has a record of its
/// own, which is numbered as entries are.
template <class C>
class SingleClass {
 public:
  static CollectionId id() { return CollectionTable::kFirstOfClass + listed_->id; }
  /// Its part on a PE: made when it is first asked for.
  static ElementTable& table(Pe& pe) { return table_of_singles(pe, id(), element_type<C>()); }

 private:
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  // says the class itself, not its family: the class of the collection
  static inline EntryRecord record_ = MessageFunctions<>::record(name(), &refuse_to_run_single, &element_type<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
