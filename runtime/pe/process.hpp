// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/runtime/base/options.hpp"
#include "kaon/runtime/exchange/exchange_setup.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/node_members.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/read_only_values.hpp"
#include "kaon/runtime/ports/roster.hpp"
#include "kaon/runtime/work/helper_threads.hpp"

namespace kaon::runtime {

/// One operating-system process of the run: its PEs. (A unit test has several of them in one.)
class Process {
 public:
  /// `secret` is the run's; see ExchangeSetup.
  Process(const Options& options, const EntryTable& entries, Roster roster, const Seat& seat, std::uint64_t secret = 0);
  /// All processes of its host may use the same cores.
  Process(const Options& options, const EntryTable& entries, const Roster& roster, int process,
          std::uint64_t secret = 0);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  const Options& options() const { return options_; }
  const EntryTable& entries() const { return entries_; }
  const Seat& seat() const { return seat_; }
  const Roster& roster() const { return roster_; }

  PeId total_pes() const { return roster_.pes(); }
  PeId first_pe() const { return first_pe_; }
  PeId local_pes() const { return static_cast<PeId>(roster_.pes_per_process()); }
  bool is_local(PeId pe) const { return pe - first_pe() < local_pes(); }
  /// The PE if it is one of this process, else nullptr.
  Pe* local(PeId pe) { return is_local(pe) ? pes_[pe - first_pe()].get() : nullptr; }
  Pe& pe(PeId local_index) { return *pes_[local_index]; }
  /// The pools and schedulers of its PEs, by number in the process; filled while the PEs are made.
  Pool* const* pools() const { return pools_.data(); }
  Scheduler* const* schedulers() const { return schedulers_.data(); }
  const ExchangeSetup& exchange_setup() const { return exchange_setup_; }

  HelperThreads& helpers() { return helpers_; }
  /// The members of node groups, one for all PEs of the process. Any thread of a PE may use them.
  NodeMembers& node_members() { return node_members_; }
  ReadOnlyValues& read_only_values() { return read_only_values_; }

  /// For the process of PE 0, which numbers the collections of the run. Its thread only.
  std::uint32_t new_collection_id() { return ++collections_; }

  // --- the end of the run
  void set_exit_code(int code) {
    exit_code_.store(code, std::memory_order_relaxed);
  }  // before stop(), read after joining
  int exit_code() const { return exit_code_.load(std::memory_order_relaxed); }
  /// PEs of this process that run nothing any more and have sent all they had to send.
  std::atomic<PeId>& stopped_pes() { return stopped_pes_; }
  void set_over() { is_over_.store(true, std::memory_order_release); }
  bool is_over() const { return is_over_.load(std::memory_order_acquire); }

  /// Releases all that lives on the PEs, on this thread; the PEs' threads have ended.
  void clear();

 private:
  void drain_devices();

  Options options_;
  const EntryTable& entries_;
  Roster roster_;
  Seat seat_;
  PeId first_pe_;
  ExchangeSetup exchange_setup_;
  std::uint32_t collections_ = 0;
  std::atomic<int> exit_code_{0};
  std::atomic<PeId> stopped_pes_{0};
  std::atomic<bool> is_over_{false};
  std::vector<Pool*> pools_;
  std::vector<Scheduler*> schedulers_;
  std::vector<std::unique_ptr<Pe>> pes_;
  HelperThreads helpers_;
  NodeMembers node_members_;
  ReadOnlyValues read_only_values_;
};

}  // namespace kaon::runtime
