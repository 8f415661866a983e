// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::runtime {

/// What is raised when a payload is in its landing, behind its data: of the layer that knows devices. Used by the
/// thread of the receiving PE.
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
