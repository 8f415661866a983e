// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/elements.hpp"

namespace kaon::chares {

namespace {

/// Of no elements: no number is the slot of one.
const Placement kNoPlacement{Map::round_robin, 0, 1};

}  // namespace

Elements::Elements(const Placement& placement, PeId pe)
    : placement_(placement),
      pe_(pe),
      is_sparse_(false),
      first_(placement.is_contiguous() ? placement.element(pe, 0) : 0),
      direct_(placement.is_contiguous() ? placement.homed(pe) : 0),
      slots_(placement.homed(pe)) {}

Elements::Elements(Sparse) : placement_(kNoPlacement), pe_(0), is_sparse_(true), first_(0), direct_(0) {}

ElementBase* Elements::find_elsewhere(std::uint64_t element) const {
  const std::uint64_t slot = placement_.slot(element, pe_);
  if (slot < slots_.size()) return slots_[slot];
  const auto visitor = visitor_at_.find(element);
  return visitor ? visitors_[*visitor] : nullptr;
}

std::uint64_t Elements::reserve(std::uint64_t number) {
  numbers_.push_back(number);
  visitors_.push_back(nullptr);
  return visitors_.size() - 1;
}

void Elements::forgo(std::uint64_t) { ++gaps_; }

void Elements::add(ElementBase& element) {
  const std::uint64_t number = number_of(element);
  const std::uint64_t slot = placement_.slot(number, pe_);
  ++count_;
  if (slot < slots_.size()) {
    slots_[slot] = &element;
  } else if (is_sparse_) {
    visitor_at_.set(number, ElementAccess::place(element));
    visitors_[ElementAccess::place(element)] = &element;
  } else {
    visitor_at_.set(number, visitors_.size());
    visitors_.push_back(&element);
  }
}

void Elements::remove(ElementBase& element) {
  const std::uint64_t number = number_of(element);
  const std::uint64_t slot = placement_.slot(number, pe_);
  --count_;
  if (slot < slots_.size()) {
    slots_[slot] = nullptr;
    return;
  }
  visitors_[place_of_visitor(element)] = nullptr;
  visitor_at_.erase(number);
  ++gaps_;
  if (!is_sparse_) tidy();
}

std::size_t Elements::place_of_visitor(const ElementBase& element) const {
  return is_sparse_ ? ElementAccess::place(element) : *visitor_at_.find(ElementAccess::index(element));
}

void Elements::close_gaps() {
  if (gaps_ <= visitor_at_.size()) return;  // as many as there are visitors may stay: each is closed at a constant cost
  std::size_t end = 0;
  for (std::size_t place = 0; place < visitors_.size(); ++place)
    if (visitors_[place] != nullptr) move_visitor(place, end++);
  visitors_.resize(end);
  if (is_sparse_) numbers_.resize(end);
  gaps_ = 0;
}

void Elements::move_visitor(std::size_t from, std::size_t to) {
  ElementBase& visitor = *visitors_[from];
  const std::uint64_t number = number_of(visitor);
  visitor_at_.set(number, to);
  visitors_[to] = &visitor;
  if (!is_sparse_) return;
  numbers_[to] = number;
  ElementAccess::move_to_place(visitor, to);
}

}  // namespace kaon::chares
