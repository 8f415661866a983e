// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/machine.hpp"

#include <string>
#include <utility>

#include "kaon/machine_ucx/shared_memory.hpp"
#include "kaon/machine_ucx/worker.hpp"
#include "kaon/runtime/base/abort_reason.hpp"
#include "kaon/runtime/base/descriptors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/no_thread.hpp"
#include "kaon/runtime/base/testing_settings.hpp"

namespace kaon::machine_ucx {

namespace {

// That UCX opens for a process and for each PE, with some for buffers that it takes later: it fails badly without.
constexpr std::size_t kDescriptors = 16;
constexpr std::size_t kDescriptorsOfPe = 14;

}  // namespace

UcxMachine::UcxMachine(Bootstrap& bootstrap, const Roster& roster, HostCarrier carrier, MachineSettings settings)
    : bootstrap_(bootstrap),
      roster_(roster),
      contacts_(bootstrap, roster, settings.vendor),
      carrier_(carrier),
      settings_(std::move(settings)),
      own_(contacts_.pes_per_process()) {}

// Workers of one context do not get into each other's way: two threads, 8 B and 64 KB messages, measured alike with one
// context and with one each; one needs less memory. By a PE's thread: UCX asks what device it uses.
void UcxMachine::start_once() {
  if (context_ != nullptr) return;
  const SharedFolder folder = bootstrap_.shared_folder();
  const Seat& seat = bootstrap_.seat();
  require_shared_memory(folder, seat, roster_.pes_per_process());
  reserve_descriptors(kDescriptors + kDescriptorsOfPe * contacts_.pes_per_process(), "UCX");
  require_thread(kThreadOfUcx);
  context_ = std::make_unique<Context>(ContextSettings{settings_.vendor, seat.hosts, settings_.interface, folder.path});
  memory_table_ = std::make_unique<UcxMemoryTable>(*context_);
}

void UcxMachine::forget_region(MemoryRegion& region) {
  if (memory_table_ != nullptr) memory_table_->forget(region);
}

std::string UcxMachine::describe() const { return context_ != nullptr ? context_->describe() : "UCX"; }

std::unique_ptr<Port> UcxMachine::open_port(PeId pe, PortClient& client) {
  const std::size_t local = pe - contacts_.first_pe();  // wraps around for a lower PE
  if (local >= own_.size()) throw UsageError("PE " + std::to_string(pe) + " does not belong to this process");
  const std::lock_guard hold(lock_);
  if (!own_[local].empty()) throw UsageError("PE " + std::to_string(pe) + " has its port already");
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  // Another process may take the last thread between our look and UCX's use, which that answers by an assertion.
  const std::string reason =
      std::string("UCX gave up at its start, for the reason that it gives; where that is a thread (pthread_create): ") +
      kThreadAdvice;
  const AbortReason while_opening(reason.c_str());
  try {
    start_once();
    auto port =
        std::make_unique<UcxPort>(*context_, *memory_table_, contacts_, pe, client, carrier_, bootstrap_.secret());
    own_[local] = port->address();
    return port;
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

std::vector<std::byte> UcxMachine::contact() {
  const std::lock_guard hold(lock_);
  for (std::size_t i = 0; i < own_.size(); ++i) {
    if (own_[i].empty()) {
      throw UsageError("PE " + std::to_string(contacts_.first_pe() + i) + " has no port yet: open all, then exchange");
    }
  }
  return encode_contact({settings_.vendor, own_});
}

}  // namespace kaon::machine_ucx

std::unique_ptr<kaon::runtime::Machine> kaon::runtime::make_machine(Bootstrap& bootstrap, const Roster& roster,
                                                                    MachineSettings settings) {
  using namespace machine_ucx;
  // Active messages save the copy into a posted receive: 8 B 0.07 us instead of 0.08, 8000 B 0.28 instead of 0.38.
  const HostCarrier carrier = testing_settings().sends_tagged ? HostCarrier::tagged : HostCarrier::active;
  return std::make_unique<UcxMachine>(bootstrap, roster, carrier, std::move(settings));
}
