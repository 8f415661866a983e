// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/imported_functions.hpp"

#include <chrono>
#include <memory>

#include "kaon/machine_ucx/context.hpp"
#include "kaon/machine_ucx/socket_guard.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::imports {

TEST_CASE("calls that a library does not make are not redirected", "[machine_ucx][strangers]") {
  CHECK_FALSE(redirect_import("libucs", "no_such_function", nullptr));
  CHECK_FALSE(redirect_import("libuc", "connect", nullptr));
  CHECK_FALSE(redirect_import("libnowhere", "connect", nullptr));
}

/// A worker of somebody else in the process, as an MPI has one.
class OtherWorker {
 public:
  explicit OtherWorker(const Context& context) {
    ucp_worker_params_t params{};
    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = UCS_THREAD_MODE_SINGLE;
    REQUIRE(ucp_worker_create(context.handle(), &params, &handle) == UCS_OK);
    REQUIRE(ucp_worker_get_address(handle, &address, &address_bytes) == UCS_OK);
  }
  ~OtherWorker() {
    ucp_worker_release_address(handle, address);
    ucp_worker_destroy(handle);
  }
  OtherWorker(const OtherWorker&) = delete;
  OtherWorker& operator=(const OtherWorker&) = delete;

  [[nodiscard]] ucp_ep_h connect_to(const OtherWorker& other) const {
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = other.address;
    ucp_ep_h endpoint = nullptr;
    REQUIRE(ucp_ep_create(handle, &params, &endpoint) == UCS_OK);
    return endpoint;
  }

  ucp_worker_h handle = nullptr;
  ucp_address_t* address = nullptr;
  std::size_t address_bytes = 0;
};

TEST_CASE("others who use UCX in the process connect without a code", "[machine_ucx][strangers]") {
  const Variable transports("UCX_TLS", "tcp");
  const Context context;
  const SocketGuard guard(Secret{}, {}, 0);  // all is redirected now
  const OtherWorker one(context), two(context);
  const ucp_ep_h endpoint = one.connect_to(two);
  const ucp_request_param_t plain{};
  int sent = 4711, received = 0;
  void* const send = ucp_tag_send_nbx(endpoint, &sent, sizeof sent, 1, &plain);
  void* const receive = ucp_tag_recv_nbx(two.handle, &received, sizeof received, 1, ~ucp_tag_t{0}, &plain);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (received != sent && std::chrono::steady_clock::now() < until) {
    ucp_worker_progress(one.handle);
    ucp_worker_progress(two.handle);
  }
  CHECK(received == sent);
  for (void* request : {send, receive})
    if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
}

}  // namespace kaon::testing::imports
