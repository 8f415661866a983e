// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/ports/seat.hpp"

namespace kaon::runtime {

/// The layout of a run: which process is on which host, and which PEs are in which process. The same in all
/// processes. PEs are numbered by process: those of process 0, then those of process 1, whatever hosts these are on.
/// Memory grows with the hosts, not with the processes, where each host has processes of consecutive numbers.
class Roster {
 public:
  /// All processes on one host. Throws UsageError for more PEs than a run can have.
  Roster(int processes, int pes_per_process);
  /// By process, its host. Every host from 0 to the last named has a process; throws UsageError otherwise.
  Roster(std::span<const int> host_of_process, int pes_per_process);

  int processes() const { return processes_; }
  int hosts() const { return static_cast<int>(hosts_.size()); }
  int pes_per_process() const { return static_cast<int>(pes_per_process_); }
  PeId pes() const { return static_cast<PeId>(processes_) * pes_per_process_; }
  Seat seat(int process) const;
  /// The other processes of its host.
  std::vector<int> neighbors_of(int process) const;

  PeId first_pe(int process) const { return static_cast<PeId>(process) * pes_per_process_; }
  int process_of(PeId pe) const { return static_cast<int>(pe / pes_per_process_); }
  /// Among the PEs of its process.
  PeId local_index(PeId pe) const { return pe % pes_per_process_; }

  int host_of(PeId pe) const { return hosts() == 1 ? 0 : stretch_of(process_of(pe)).host; }
  PeId pes_on_host(int host) const { return static_cast<PeId>(on(host).processes) * pes_per_process_; }
  /// Among the PEs of its host.
  PeId index_on_host(PeId pe) const;
  /// The PE of `host` that has this index among those of the host.
  PeId pe_on_host(int host, PeId index) const;

 private:
  /// Processes of consecutive numbers on one host.
  struct Stretch {
    int first_process = 0;
    int host = 0;
    int first_place = 0;  // on the host
  };
  struct Host {
    int processes = 0;
    std::vector<int> stretches;  // their indices, in the order of their processes
  };

  void add_process(int process, int host);
  void check() const;
  const Host& on(int host) const { return hosts_[static_cast<std::size_t>(host)]; }
  const Stretch& stretch_of(int process) const;
  int place_of(int process) const;
  int process_at(int host, int place) const;

  int processes_;
  PeId pes_per_process_;
  std::vector<Stretch> stretches_;  // by process
  std::vector<Host> hosts_;
};

}  // namespace kaon::runtime
