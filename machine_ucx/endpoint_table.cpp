// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/endpoint_table.hpp"

#include <chrono>
#include <string>

#include "kaon/machine_ucx/status.hpp"

namespace kaon::machine_ucx {

namespace {

constexpr std::chrono::milliseconds kClosingTime{100};

}  // namespace

EndpointTable::EndpointTable(Worker& worker, ContactBook& contacts)
    : worker_(worker), contacts_(contacts), endpoints_(contacts.pes(), nullptr) {}

ucp_ep_h EndpointTable::connect(PeId pe) {
  const auto address = contacts_.address(pe);  // refuses PEs that the run does not have
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  // Handling of lost peers would cost us transports (no copies between processes); the bootstrap watches them.
  params.err_mode = UCP_ERR_HANDLING_MODE_NONE;
  ucp_ep_h endpoint = nullptr;
  const ucs_status_t status = ucp_ep_create(worker_.handle(), &params, &endpoint);
  if (status != UCS_OK) throw_status(status, "connecting to PE " + std::to_string(pe));
  return endpoints_[pe] = endpoint;
}

EndpointTable::~EndpointTable() {
  const std::vector<void*> closing = start_closing();
  const auto limit = std::chrono::steady_clock::now() + kClosingTime;
  for (void* request : closing) {
    while (ucp_request_check_status(request) == UCS_INPROGRESS && std::chrono::steady_clock::now() < limit) {
      worker_.progress();
    }
    ucp_request_free(request);
  }
}

// Requests of those that could not be closed at once.
std::vector<void*> EndpointTable::start_closing() {
  std::vector<void*> closing;
  const ucp_request_param_t flush{};  // without UCP_EP_CLOSE_FLAG_FORCE, which this error mode does not allow
  for (ucp_ep_h endpoint : endpoints_) {
    if (endpoint == nullptr) continue;
    void* request = ucp_ep_close_nbx(endpoint, &flush);
    if (UCS_PTR_IS_PTR(request)) closing.push_back(request);
  }
  return closing;
}

}  // namespace kaon::machine_ucx
