// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/process.hpp"

#include <utility>

#include "kaon/runtime/payloads/accelerator.hpp"

namespace kaon::runtime {

Process::Process(const Options& options, const EntryTable& entries, Roster roster, int process)
    : options_(options),
      entries_(entries),
      roster_(std::move(roster)),
      seat_(roster_.seat(process)),
      first_pe_(roster_.first_pe(process)) {
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
