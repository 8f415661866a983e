// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "kaon/machine_ucx/operation.hpp"
#include "kaon/machine_ucx/request_pool.hpp"
#include "kaon/machine_ucx/worker.hpp"

namespace kaon::machine_ucx {

// The posted receives of one lane. A batch that finds none posted waits in UCX's memory, at the price of a copy.
class ReceiveRing {
 public:
  // All given live longer than the ring. Operations come out in `finished`.
  ReceiveRing(Worker& worker, RequestPool& pool, OperationQueue& finished, Lane lane, std::size_t receives);
  // Takes the receives back.
  ~ReceiveRing();
  ReceiveRing(const ReceiveRing&) = delete;
  ReceiveRing& operator=(const ReceiveRing&) = delete;

  // Again, after what arrived in it has been handed over.
  void post(Operation& operation);

 private:
  Worker& worker_;
  OperationQueue& finished_;
  ucp_tag_t tag_;
  ucp_request_param_t parameters_;
  std::unique_ptr<std::byte[]> buffers_;
  std::vector<Operation*> operations_;
};

}  // namespace kaon::machine_ucx
