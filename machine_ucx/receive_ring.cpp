// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/receive_ring.hpp"

#include "kaon/machine_ucx/completion.hpp"
#include "kaon/runtime/messages/tag.hpp"

namespace kaon::machine_ucx {

namespace {

constexpr std::size_t kStride = (kBatchBytes + 63) / 64 * 64;  // each buffer begins a cache line

}  // namespace

ReceiveRing::ReceiveRing(Worker& worker, RequestPool& pool, OperationQueue& finished, Lane lane, std::size_t receives)
    : worker_(worker),
      finished_(finished),
      tag_(encode({lane == Lane::data ? TagType::host : TagType::control})),
      parameters_(receive_parameters(finished)),
      buffers_(std::make_unique_for_overwrite<std::byte[]>(receives * kStride)) {
  operations_.reserve(receives);
  for (std::size_t i = 0; i < receives; ++i) {
    Operation& operation = pool.take();
    operation.kind = OperationKind::receive_batch;
    operation.lane = lane;
    operation.buffer = buffers_.get() + i * kStride;
    operations_.push_back(&operation);
    post(operation);
  }
}

ReceiveRing::~ReceiveRing() {
  for (Operation* operation : operations_) {
    // UCX ignores a request that it has finished.
    ucp_request_cancel(worker_.handle(), operation);
  }
}

void ReceiveRing::post(Operation& operation) {
  if (post_receive(worker_.handle(), operation.buffer, kBatchBytes, tag_, parameters_, operation)) {
    finished_.push(operation);
  }
}

}  // namespace kaon::machine_ucx
