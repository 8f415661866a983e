// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <vector>

#include "kaon/machine_ucx/contact_book.hpp"
#include "kaon/machine_ucx/worker.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// One PE's connections, made at the first send to each other PE.
class EndpointTable {
 public:
  // Both live longer.
  EndpointTable(Worker& worker, ContactBook& contacts);
  // Lets them send what they still have to, for a bounded time: a peer that is gone would never take it.
  ~EndpointTable();
  EndpointTable(const EndpointTable&) = delete;
  EndpointTable& operator=(const EndpointTable&) = delete;

  ucp_ep_h at(PeId pe) {
    if (pe < endpoints_.size() && endpoints_[pe] != nullptr) [[likely]]
      return endpoints_[pe];
    return connect(pe);
  }

 private:
  ucp_ep_h connect(PeId pe);
  std::vector<void*> start_closing();

  Worker& worker_;
  ContactBook& contacts_;
  std::vector<ucp_ep_h> endpoints_;  // by PE; null until the first send
};

}  // namespace kaon::machine_ucx
