// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "kaon/runtime/work/activity.hpp"

namespace kaon::chares {

class ElementTable;

/// The half of a departure that a table knows: it is tried again whenever its element may be at rest.
class PendingDeparture : public runtime::Activity {
 public:
  /// Tries it again as the next piece of work.
  void try_soon();
  /// True while something of the element keeps it here.
  bool is_held_up() const { return !is_queued_; }
  /// The element and its destination, for people.
  virtual std::string describe() const = 0;

 protected:
  explicit PendingDeparture(ElementTable& table) : table_(table) {}
  ~PendingDeparture() override = default;

  ElementTable& table_;
  bool is_queued_ = false;
};

}  // namespace kaon::chares
