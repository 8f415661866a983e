// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/endpoint_table.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "kaon/machine_ucx/status.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"

namespace kaon::machine_ucx {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kClosingTime{100};

// How long a link that is down is waited for; by then those who watch the other host have found it lost.
constexpr std::chrono::seconds kLinkTime{20};
constexpr std::chrono::milliseconds kLook{100};
// An attempt that fails in less has met a network without a way to the other process; one that takes longer has looked
// for its host (3 s, on a link of Ethernet). The end of somebody else's search looks like the first: it comes once.
constexpr std::chrono::milliseconds kSwift{100};
constexpr int kSwiftFailures = 2;

}  // namespace

EndpointTable::EndpointTable(const Context& context, Worker& worker, ContactBook& contacts)
    : context_(context), worker_(worker), contacts_(contacts), endpoints_(contacts.pes(), nullptr) {}

ucp_ep_h EndpointTable::connect(PeId pe) {
  refuse_lost(pe);
  const auto address = contacts_.address(pe);  // refuses PEs that the run does not have
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  // Handling of lost peers would cost us transports on a host (no copies between processes); the bootstrap watches
  // them.
  params.err_mode = contacts_.is_far(pe) ? UCP_ERR_HANDLING_MODE_PEER : UCP_ERR_HANDLING_MODE_NONE;
  params.field_mask |= UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.err_handler = {&note_loss, this};
  return endpoints_[pe] = contacts_.is_far(pe) ? create_over_network(pe, params) : create(pe, params);
}

ucp_ep_h EndpointTable::create(PeId pe, const ucp_ep_params_t& params) const {
  ucp_ep_h endpoint = nullptr;
  const ucs_status_t status = worker_.connect(params, endpoint);
  if (status != UCS_OK) throw_status(status, "connecting to PE " + std::to_string(pe));
  return endpoint;
}

ucp_ep_h EndpointTable::create_over_network(PeId pe, const ucp_ep_params_t& params) const {
  const std::string other = "PE " + std::to_string(pe) + " of another host";
  int swift_failures = 0;
  bool has_warned = false;
  for (const auto until = Clock::now() + kLinkTime; Clock::now() < until; std::this_thread::sleep_for(kLook)) {
    if (context_.has_network()) {
      const auto start = Clock::now();
      ucp_ep_h endpoint = nullptr;
      const ucs_status_t status = worker_.connect(params, endpoint);
      if (status == UCS_OK) return endpoint;
      const bool is_swift = Clock::now() - start < kSwift && context_.has_network();
      swift_failures = is_swift ? swift_failures + 1 : 0;
      if (status != UCS_ERR_UNREACHABLE || swift_failures == kSwiftFailures)
        throw_status(status, "connecting to " + other + " (does --interface name the network between them?)");
      if (is_swift) continue;
    }
    if (!std::exchange(has_warned, true)) log_warn("the network is down: the way to " + other + " is waited for");
  }
  throw LostPeer("no way to " + other + " within " + std::to_string(kLinkTime.count()) +
                 " s: is the network down, or does --interface name one that does not join all hosts?");
}

// Of UCX's progress, through which nothing may be thrown.
void EndpointTable::note_loss(void* self, ucp_ep_h endpoint, ucs_status_t status) {
  auto& table = *static_cast<EndpointTable*>(self);
  const auto at = std::find(table.endpoints_.begin(), table.endpoints_.end(), endpoint);
  if (at == table.endpoints_.end()) return;
  table.lost_.push_back({static_cast<PeId>(at - table.endpoints_.begin()), endpoint, status});
  *at = nullptr;
}

void EndpointTable::refuse_lost(PeId pe) const {
  for (const Lost& lost : lost_)
    if (lost.pe == pe)
      throw LostPeer("UCX: the connection to PE " + std::to_string(pe) + " was lost (" +
                     ucs_status_string(lost.status) + "). Look for an earlier error of another process of this run.");
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
  const ucp_request_param_t flush{};  // without UCP_EP_CLOSE_FLAG_FORCE, which the mode without errors does not allow
  for (ucp_ep_h endpoint : endpoints_) {
    if (endpoint == nullptr) continue;
    void* request = ucp_ep_close_nbx(endpoint, &flush);
    if (UCS_PTR_IS_PTR(request)) closing.push_back(request);
  }
  ucp_request_param_t force{};
  force.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  force.flags = UCP_EP_CLOSE_FLAG_FORCE;
  for (const Lost& lost : lost_)
    if (void* request = ucp_ep_close_nbx(lost.endpoint, &force); UCS_PTR_IS_PTR(request)) closing.push_back(request);
  return closing;
}

}  // namespace kaon::machine_ucx
