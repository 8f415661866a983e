// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <vector>

#include "kaon/machine_ucx/contact_book.hpp"
#include "kaon/machine_ucx/context.hpp"
#include "kaon/machine_ucx/worker.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// One PE's connections, made at the first send to each other PE. One to another host may be lost, which is an error
// when it is used next: nobody is waited for who may have left at the end of the run. And one may have to be made while
// the link between the hosts is down: that is waited for, since TCP waits, too, where a connection is made already.
class EndpointTable {
 public:
  // All live longer.
  EndpointTable(const Context& context, Worker& worker, ContactBook& contacts);
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
  struct Lost {
    PeId pe;
    ucp_ep_h endpoint;
    ucs_status_t status;
  };

  ucp_ep_h connect(PeId pe);
  ucp_ep_h create(PeId pe, const ucp_ep_params_t& params) const;
  ucp_ep_h create_over_network(PeId pe, const ucp_ep_params_t& params) const;
  static void note_loss(void* self, ucp_ep_h endpoint, ucs_status_t status);
  void refuse_lost(PeId pe) const;
  std::vector<void*> start_closing();

  const Context& context_;
  Worker& worker_;
  ContactBook& contacts_;
  std::vector<ucp_ep_h> endpoints_;  // by PE; null until the first send, and when it is lost
  std::vector<Lost> lost_;           // with whom no transfer is possible any more
};

}  // namespace kaon::machine_ucx
