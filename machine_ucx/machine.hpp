// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "machine_ucx/contact.hpp"
#include "machine_ucx/contact_book.hpp"
#include "machine_ucx/context.hpp"
#include "machine_ucx/port.hpp"
#include "runtime/machine.hpp"

namespace kaon {

// All ports of this process. Outlives them.
class UcxMachine final : public Machine {
 public:
  UcxMachine(Bootstrap& bootstrap, int pes_per_process, HostCarrier carrier);

  std::unique_ptr<Port> open_port(PeId pe, PortClient& client) override;
  std::vector<std::byte> contact() override;

 private:
  const Context& context_of(std::size_t local_pe);

  ContactBook contacts_;
  HostCarrier carrier_;
  std::mutex lock_;  // guards what follows: ports are opened by the threads of their PEs
  std::vector<std::unique_ptr<Context>> contexts_;
  Contact own_;  // by local PE; empty until its port is open
};

// KAON_UCX_HOST of the environment: tag or am. Throws UsageError for anything else.
HostCarrier chosen_carrier(const char* variable);

}  // namespace kaon
