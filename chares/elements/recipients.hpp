// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::chares {

/// The elements for which one PE answers when something is sent to many: those at home there, wherever they are, or
/// those that the home of others has found on this PE. Each element has one home, so each is reached once, however
/// many move meanwhile.
class Recipients {
 public:
  /// All elements of the collection that are at home here now.
  static Recipients at_home(ElementTable& table);
  /// Those of a section that are.
  static Recipients at_home(ElementTable& table, std::vector<std::uint64_t> numbers) {
    return {table, std::move(numbers), Kind::homed_list};
  }
  /// Those that their home has named.
  static Recipients named(ElementTable& table, std::vector<std::uint64_t> numbers) {
    return {table, std::move(numbers), Kind::named_list};
  }

  std::uint64_t places() const { return places_; }
  std::uint64_t number(std::uint64_t place) const {
    return kind_ == Kind::slots ? table_->locations().placement().element(here_, place) : numbers_[place];
  }
  /// nullptr: it is not on this PE now.
  ElementBase* at(std::uint64_t place) const {
    return kind_ == Kind::slots ? table_->elements().at_place(place) : table_->find(numbers_[place]);
  }
  void prefetch(std::uint64_t place) const {
    if (kind_ == Kind::slots && place < places_) __builtin_prefetch(table_->elements().at_place(place));
  }
  /// Where an element is that is not on this PE, or is about to be; nothing: it is no more.
  std::optional<PeId> whereabouts(std::uint64_t number) const;
  /// True if this PE is their home: it knows where they are, and so may send to many on another PE at once.
  bool are_at_home() const { return kind_ != Kind::named_list; }

 private:
  enum class Kind : std::uint8_t { slots, homed_list, named_list };
  Recipients(ElementTable& table, std::vector<std::uint64_t> numbers, Kind kind);

  ElementTable* table_;
  std::vector<std::uint64_t> numbers_;
  std::uint64_t places_;
  PeId here_;
  Kind kind_;
};

/// Numbers of elements that were found on other PEs, for one message to each PE.
class FoundElsewhere {
 public:
  /// True: so many are on that PE that they are to be sent to now.
  bool add(PeId pe, std::uint64_t number);
  std::vector<std::uint64_t> take(PeId pe) { return std::exchange(numbers_[*place_of_.find(pe)].second, {}); }
  template <class Visit>
  void take_all(Visit visit) {
    for (auto& [pe, numbers] : numbers_)
      if (!numbers.empty()) visit(pe, std::exchange(numbers, {}));
  }

 private:
  static constexpr std::size_t kMostAtOnce = 4096;

  NumberMap<std::size_t> place_of_;  // by PE, in numbers_
  std::vector<std::pair<PeId, std::vector<std::uint64_t>>> numbers_;
};

}  // namespace kaon::chares
