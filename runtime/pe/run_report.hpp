// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/runtime/base/topology.hpp"

namespace kaon::runtime {

class Machine;
class Process;

/// Prints what `--log-level info` reports of a run: processes, hosts, PEs, network and times. Only process 0 prints.
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
