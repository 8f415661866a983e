// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/active_messages.hpp"

#include "kaon/machine_ucx/network_order.hpp"
#include "kaon/machine_ucx/status.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {

namespace {

ucs_status_t set_handler(Worker& worker, Lane lane, ucp_am_recv_callback_t callback, void* argument) {
  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                       UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  handler.id = static_cast<unsigned>(lane);
  handler.flags = UCP_AM_FLAG_WHOLE_MSG;
  handler.cb = callback;
  handler.arg = argument;
  return ucp_worker_set_am_recv_handler(worker.handle(), &handler);
}

ucs_status_t drop(void*, const void*, std::size_t, void*, std::size_t, const ucp_am_recv_param_t*) { return UCS_OK; }

}  // namespace

ActiveMessages::ActiveMessages(Worker& worker, PortClient& client) : worker_(worker), client_(client) {
  check_status(set_handler(worker, Lane::data, arrived<Lane::data>, this), "registering for data");
  check_status(set_handler(worker, Lane::control, arrived<Lane::control>, this), "registering for control messages");
}

ActiveMessages::~ActiveMessages() {
  for (const Lane lane : {Lane::data, Lane::control}) set_handler(worker_, lane, drop, nullptr);
}

void* ActiveMessages::send(ucp_ep_h to, Lane lane, std::span<const std::byte> bytes, ucp_request_param_t parameters) {
  parameters.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
  parameters.flags = UCP_AM_SEND_FLAG_EAGER;
  return ucp_am_send_nbx(to, static_cast<unsigned>(lane), nullptr, 0, bytes.data(), bytes.size(), &parameters);
}

template <Lane lane>
ucs_status_t ActiveMessages::arrived(void* self, const void*, std::size_t, void* data, std::size_t bytes,
                                     const ucp_am_recv_param_t* parameters) {
  const bool is_complete = (parameters->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) == 0 && bytes <= kBatchBytes;
  static_cast<ActiveMessages*>(self)->hand_over(lane, {static_cast<const std::byte*>(data), bytes}, is_complete);
  return UCS_OK;  // UCX may reuse the memory
}

void ActiveMessages::hand_over(Lane lane, std::span<const std::byte> bytes, bool is_complete) noexcept {
  order_threads_by_network();
  try {
    if (!is_complete) throw CorruptMessage("a batch is longer than agreed: start the same program in all processes");
    client_.batch_arrived(lane, bytes);
  } catch (...) {
    if (error_ == nullptr) error_ = std::current_exception();
  }
}

}  // namespace kaon::machine_ucx
