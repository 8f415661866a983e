// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/process.hpp"

#include <string>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

Process::Process(const Options& options, const EntryTable& entries, Place place)
    : options_(options), entries_(entries), place_(place) {
  const std::uint64_t total =
      static_cast<std::uint64_t>(place.processes) * static_cast<unsigned>(place.pes_per_process);
  if (total >= kMaxPes)
    throw UsageError(std::to_string(total) + " PEs are more than a run can have (" + std::to_string(kMaxPes - 1) + ")");
  for (PeId i = 0; i < local_pes(); ++i)
    pes_.push_back(std::make_unique<Pe>(*this, first_pe() + i, static_cast<std::uint16_t>(i)));
}

Process::~Process() { clear(); }

void Process::clear() {
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
