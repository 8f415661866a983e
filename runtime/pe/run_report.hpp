// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/runtime/base/topology.hpp"

namespace kaon::runtime {

class Machine;
class Process;

/// What `--log-level info` says of a run: who takes part, where, over what, and for how long. By process 0 alone.
class RunReport {
 public:
  explicit RunReport(const Process& process);

  /// `pinning` of the first PE; `machine` is nullptr for a process alone.
  void joined(Pinning pinning, const Machine* machine) const;
  void ended() const;

 private:
  using Clock = std::chrono::steady_clock;

  const Process& process_;
  bool speaks_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace kaon::runtime
