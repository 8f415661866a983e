// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::runtime {

/// A flag that is raised when a payload is in its landing, behind its data. The device layer implements it; the thread
/// of the receiving PE uses it.
class ArrivalFlag {
 public:
  /// A payload that will raise it is on its way: it stays until that has arrived, or will not.
  virtual void expect() noexcept = 0;
  virtual void arrived() noexcept = 0;
  virtual void will_not_arrive() noexcept = 0;

 protected:
  ~ArrivalFlag() = default;
};

}  // namespace kaon::runtime
