// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/process.hpp"

#include <utility>

#include "kaon/runtime/base/granted_memory.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/stall_watch.hpp"

namespace kaon::runtime {

namespace {

std::size_t queue_limit_of(const Options& options, const Seat& seat) {
  if (options.queue_limit_mib != 0) return options.queue_limit_mib;
  return default_queue_limit_mib(memory_of_host(), seat.processes_on_host * options.pes);
}

}  // namespace

Process::Process(const Options& options, const EntryTable& entries, const Roster& roster, int process,
                 std::uint64_t secret)
    : Process(options, entries, roster, roster.seat(process), secret) {}

Process::Process(const Options& options, const EntryTable& entries, Roster roster, const Seat& seat,
                 std::uint64_t secret)
    : options_(options),
      entries_(entries),
      roster_(std::move(roster)),
      seat_(seat),
      first_pe_(roster_.first_pe(seat.process)),
      exchange_setup_{total_pes(),
                      first_pe(),
                      local_pes(),
                      &entries_,
                      0,
                      secret,
                      options.credits,
                      queue_limit_of(options, seat) << 20,
                      options.payload_counter_bits},
      pools_(local_pes()),
      schedulers_(local_pes()),
      helpers_(options.helper_threads) {
  for (PeId i = 0; i < local_pes(); ++i) {
    Pe& pe = *pes_.emplace_back(std::make_unique<Pe>(*this, first_pe() + i, static_cast<std::uint16_t>(i)));
    pools_[i] = &pe.pool();
    schedulers_[i] = &pe;
  }
}

Process::~Process() { clear(); }

void Process::clear() {
  for (auto& pe : pes_) pe->stop();  // what comes back, and what was posted, is not run any more
  helpers_.close();
  drain_devices();  // what chares free themselves must not be in use
  for (auto& pe : pes_) {
    const CurrentPe current(*pe);
    pe->clear();
  }
  drain_devices();
}

void Process::drain_devices() {
  for (auto& pe : pes_)
    if (pe->has_accelerator()) pe->accelerator().drain();
}

}  // namespace kaon::runtime
