// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kaon/machine_ucx/contact.hpp"
#include "kaon/machine_ucx/contact_book.hpp"
#include "kaon/machine_ucx/context.hpp"
#include "kaon/machine_ucx/port.hpp"
#include "kaon/machine_ucx/ucx_memory_table.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// All ports of this process. Outlives them.
class UcxMachine final : public Machine {
 public:
  UcxMachine(Bootstrap& bootstrap, const Roster& roster, HostCarrier carrier, MachineSettings settings = {});

  std::unique_ptr<Port> open_port(PeId pe, PortClient& client) override;
  std::vector<std::byte> contact() override;
  void forget_region(MemoryRegion& region) override;
  std::string describe() const override;

 private:
  void start_once();

  Bootstrap& bootstrap_;
  const Roster& roster_;
  ContactBook contacts_;
  HostCarrier carrier_;
  MachineSettings settings_;
  std::mutex lock_;                   // guards what follows: ports are opened by the threads of their PEs
  std::exception_ptr failure_;        // of the first port that could not be opened: UCX may not survive another try
  std::unique_ptr<Context> context_;  // of all PEs
  std::unique_ptr<UcxMemoryTable> memory_table_;
  std::vector<std::vector<std::byte>> own_;  // addresses by local PE; empty until its port is open
};

}  // namespace kaon::machine_ucx
