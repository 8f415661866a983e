// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/chares/collectives/formation.hpp"
#include "kaon/chares/several.hpp"

namespace kaon::chares {

/// Some elements of an array: a name of a few words, to be copied, kept and sent, that `array.section(members)` gives.
/// What is sent to all of them goes down the spanning tree once; members may move. One that is not there, or is
/// deleted, is passed over.
template <class C>
class Section : public Several<C> {
 public:
  Section() = default;
  Section(CollectionId collection, std::uint32_t number, std::uint64_t size)
      : Several<C>(collection, number), size_(size) {}
  /// Converts from a section of an array of a derived class.
  template <class D>
    requires is_derived_chare<D, C>
  Section(const Section<D>& other) : Section(other.id(), other.number(), other.size()) {}  // NOLINT: as pointers do

  /// How many members it has.
  std::uint64_t size() const { return size_; }
  /// Its number among the sections of its array.
  std::uint32_t number() const { return this->section_; }

  /// Gives its memory back on all PEs. Its elements stay. What is sent to it from then on throws UsageError.
  void destroy() const { formation::dissolve(this->usable_pe(), this->id(), this->section_); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(this->collection_, this->section_, size_);
  }

 private:
  std::uint64_t size_ = 0;
};

}  // namespace kaon::chares
