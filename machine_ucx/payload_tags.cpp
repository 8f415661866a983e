// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/payload_tags.hpp"

#include "kaon/runtime/messages/tag.hpp"

namespace kaon::machine_ucx {

namespace {

ucp_tag_t first_of_epoch(std::uint8_t epoch) { return encode({TagType::payload, 0, 0, epoch}); }

// Into no memory: UCX then tells the sender that it is done, and moves nothing.
void drop(ucp_worker_h worker, ucp_tag_message_h message, RequestPool& pool, ucp_request_param_t parameters) {
  Operation& operation = pool.take();
  operation.kind = OperationKind::drop_payload;
  parameters.request = &operation;
  void* request = ucp_tag_msg_recv_nbx(worker, nullptr, 0, message, &parameters);
  if (!UCS_PTR_IS_PTR(request)) pool.give_back(operation);
}

}  // namespace

ucp_tag_t PayloadTags::of(PeId source, std::uint32_t counter) const {
  return encode({TagType::payload, source, counter, epoch_.now()}) ^ secret_;
}

void PayloadTags::drop_each(ucp_worker_h worker, RequestPool& pool, const ucp_request_param_t& parameters) const {
  for (std::uint8_t epoch = 0; epoch < PayloadEpoch::kEpochs; ++epoch) {
    if (!epoch_.has_left(epoch)) continue;
    ucp_tag_recv_info_t info{};
    while (ucp_tag_message_h old = ucp_tag_probe_nb(worker, first_of_epoch(epoch), kEpochTagMask, 1, &info))
      drop(worker, old, pool, parameters);
  }
}

}  // namespace kaon::machine_ucx
