// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "kaon/chares/elements/reductions.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// Which reduction of a section an element contributes to next; goes with the element when it moves.
struct SectionTurn {
  std::uint32_t section = 0;
  std::uint32_t next = 0;
};

/// A section on one PE: some elements of an array, by their numbers.
struct SectionPart {
  std::vector<std::uint64_t> members;  // all of them, in order, each once
  std::vector<std::uint64_t> homed;    // those at home here
  NumberMap<std::uint64_t> turns;      // the next reduction of members that are here and have contributed
  Reductions reductions;
  bool has_lost = false;  // on PE 0: a member was deleted

  bool has(std::uint64_t element) const;
};

/// The sections of an array on one PE, by their numbers, which are not 0.
class Sections {
 public:
  Sections() = default;
  Sections(const Sections&) = delete;
  Sections& operator=(const Sections&) = delete;
  ~Sections();

  bool empty() const { return parts_.empty(); }
  /// A number that no other PE gives. Throws UsageError when there are none left.
  std::uint32_t new_number(std::uint32_t pe, std::uint32_t pes);
  void add(std::uint32_t number, std::unique_ptr<SectionPart> part) { parts_.set(number, part.release()); }
  /// nullptr when it was destroyed.
  SectionPart* find(std::uint32_t number) const { return parts_.find(number).value_or(nullptr); }
  /// Throws UsageError when it was destroyed.
  SectionPart& at(std::uint32_t number) const;
  void remove(std::uint32_t number);

  /// Takes the turns of an element that leaves or ends, and forgets it here. put_turns() is for one that arrives.
  std::vector<SectionTurn> take_turns(std::uint64_t element);
  void put_turns(std::uint64_t element, const std::vector<SectionTurn>& turns);
  /// The sections that have the element.
  std::vector<std::uint32_t> with(std::uint64_t element) const;

  bool have_queued() const;
  void fail(const std::exception_ptr& error);

 private:
  NumberMap<SectionPart*> parts_;                    // its own
  std::vector<std::unique_ptr<SectionPart>> ended_;  // with reductions that stand in the run queue
  std::uint32_t made_ = 0;
};

}  // namespace kaon::chares
