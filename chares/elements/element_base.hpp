// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/work/activity.hpp"

namespace kaon::chares {

class ElementTable;

/// The data that the runtime keeps in every chare: 24 bytes.
class ElementBase {
 public:
  ElementBase();  // takes its place from the Construction under way
  ElementBase(const ElementBase&) = delete;
  ElementBase& operator=(const ElementBase&) = delete;

  /// Where a chare that is being made stands: its linear index, or in a sparse array its place among the elements of
  /// the PE, and the number of its next reduction.
  struct Position {
    ElementTable* table = nullptr;
    std::uint64_t index_and_reduction = 0;
  };
  /// While one is alive, a chare that is constructed on this thread gets this position, so that its constructor can use
  /// it.
  class Construction {
   public:
    explicit Construction(const Position& position);
    ~Construction();
    Construction(const Construction&) = delete;
    Construction& operator=(const Construction&) = delete;
  };

 protected:
  ~ElementBase() = default;

 private:
  friend struct ElementAccess;

  ElementTable* table_ = nullptr;
  std::uint64_t index_and_reduction_ = 0;  // linear index, or place: 40 bits; number of the next reduction: 24 bits
  Activity::List suspended_;               // entries of this element that wait
};

/// The access that the runtime alone has to an ElementBase.
struct ElementAccess {
  static constexpr std::uint64_t kIndexBits = 40;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;
  static constexpr std::uint32_t kReductionMask = (1u << (64 - kIndexBits)) - 1;

  static ElementTable& table(const ElementBase& element) { return *element.table_; }
  /// The index in a dense array. ElementTable::number_of() is right for all arrays.
  static std::uint64_t index(const ElementBase& element) { return element.index_and_reduction_ & kIndexMask; }
  /// The place in a sparse array.
  static std::uint64_t place(const ElementBase& element) { return element.index_and_reduction_ & kIndexMask; }
  static void move_to_place(ElementBase& element, std::uint64_t place) {
    element.index_and_reduction_ = (element.index_and_reduction_ & ~kIndexMask) | place;
  }
  /// The number of the reduction that the element will contribute to next; counts up within its 24 bits.
  static std::uint32_t next_reduction(const ElementBase& element) {
    return static_cast<std::uint32_t>(element.index_and_reduction_ >> kIndexBits);
  }
  static std::uint32_t take_reduction(ElementBase& element) {
    const std::uint32_t number = next_reduction(element);
    element.index_and_reduction_ += std::uint64_t{1} << kIndexBits;
    return number;
  }
  static Activity::List& suspended(ElementBase& element) { return element.suspended_; }
};

}  // namespace kaon::chares
