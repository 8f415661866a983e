// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/elements.hpp"

namespace kaon::chares {

Elements::Elements(const Placement& placement, PeId pe)
    : placement_(placement),
      pe_(pe),
      first_(placement.is_contiguous() ? placement.element(pe, 0) : 0),
      direct_(placement.is_contiguous() ? placement.homed(pe) : 0),
      slots_(placement.homed(pe)) {}

ElementBase* Elements::find_elsewhere(std::uint64_t element) const {
  const std::uint64_t slot = placement_.slot(element, pe_);
  if (slot < slots_.size()) return slots_[slot];
  const auto visitor = visitor_at_.find(element);
  return visitor ? visitors_[*visitor] : nullptr;
}

void Elements::add(ElementBase& element) {
  const std::uint64_t index = ElementAccess::index(element);
  const std::uint64_t slot = placement_.slot(index, pe_);
  ++count_;
  if (slot < slots_.size()) {
    slots_[slot] = &element;
  } else {
    visitor_at_.set(index, visitors_.size());
    visitors_.push_back(&element);
  }
}

void Elements::remove(ElementBase& element) {
  const std::uint64_t index = ElementAccess::index(element);
  const std::uint64_t slot = placement_.slot(index, pe_);
  --count_;
  if (slot < slots_.size()) {
    slots_[slot] = nullptr;
    return;
  }
  visitors_[*visitor_at_.find(index)] = nullptr;
  visitor_at_.erase(index);
  ++gaps_;
  if (walks_ == 0) close_gaps();
}

void Elements::close_gaps() {
  if (gaps_ <= visitor_at_.size()) return;  // as many as there are visitors may stay: each is closed at a constant cost
  std::size_t end = 0;
  for (ElementBase* visitor : visitors_) {
    if (visitor == nullptr) continue;
    visitor_at_.set(ElementAccess::index(*visitor), end);
    visitors_[end++] = visitor;
  }
  visitors_.resize(end);
  gaps_ = 0;
}

}  // namespace kaon::chares
