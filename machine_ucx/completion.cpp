// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/completion.hpp"

#include "kaon/runtime/messages/tag.hpp"

namespace kaon::machine_ucx {

namespace {

constexpr std::uint32_t kCommonFields = UCP_OP_ATTR_FIELD_REQUEST | UCP_OP_ATTR_FIELD_CALLBACK |
                                        UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE;

ucp_request_param_t common_parameters(OperationQueue& finished) {
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = kCommonFields;
  parameters.user_data = &finished;
  parameters.memory_type = UCS_MEMORY_TYPE_HOST;
  return parameters;
}

}  // namespace

void note_sent(void* request, ucs_status_t status, void* finished) {
  auto& operation = *static_cast<Operation*>(request);
  operation.status = status;
  static_cast<OperationQueue*>(finished)->push(operation);
}

void note_received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* finished) {
  auto& operation = *static_cast<Operation*>(request);
  operation.status = status;
  operation.bytes = info->length;
  static_cast<OperationQueue*>(finished)->push(operation);
}

ucp_request_param_t send_parameters(OperationQueue& finished) {
  ucp_request_param_t parameters = common_parameters(finished);
  parameters.cb.send = note_sent;
  return parameters;
}

ucp_request_param_t receive_parameters(OperationQueue& finished) {
  ucp_request_param_t parameters = common_parameters(finished);
  parameters.cb.recv = note_received;
  parameters.op_attr_mask |= UCP_OP_ATTR_FIELD_RECV_INFO;
  return parameters;
}

bool post_receive(ucp_worker_h worker, void* data, std::size_t bytes, ucp_tag_t tag, ucp_request_param_t& parameters,
                  Operation& operation) {
  ucp_tag_recv_info_t info{};
  parameters.request = &operation;
  parameters.recv_info.tag_info = &info;
  void* request = ucp_tag_recv_nbx(worker, data, bytes, tag, kFullTagMask, &parameters);
  if (UCS_PTR_IS_PTR(request)) return false;
  operation.status = UCS_PTR_RAW_STATUS(request);
  operation.bytes = info.length;
  return true;
}

}  // namespace kaon::machine_ucx
