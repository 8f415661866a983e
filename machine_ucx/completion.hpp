// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include "kaon/machine_ucx/operation.hpp"

namespace kaon::machine_ucx {

// What UCX calls when an operation is finished, also from inside the call that started it. Only notes the fact in the
// queue given as user data: what follows may throw and may start operations, neither of which belongs under UCX's
// frames.
void note_sent(void* request, ucs_status_t status, void* finished);
void note_received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* finished);

// Parameters of a tagged call for memory of the host; the request is filled in for each.
ucp_request_param_t send_parameters(OperationQueue& finished);
ucp_request_param_t receive_parameters(OperationQueue& finished);

// Posts a receive of `bytes` under `tag`, with a full mask. True when it is finished already and not in the queue of
// finished ones: then operation.status and .bytes say how.
bool post_receive(ucp_worker_h worker, void* data, std::size_t bytes, ucp_tag_t tag, ucp_request_param_t& parameters,
                  Operation& operation);

}  // namespace kaon::machine_ucx
