// SPDX-License-Identifier: Apache-2.0
// What all floors over UCX start with. Failures throw std::runtime_error.
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon::bench {

struct LinkSettings {
  std::uint64_t features = UCP_FEATURE_TAG | UCP_FEATURE_AM;
  bool can_wake = false;  ///< ask UCX for an event descriptor, as a program that sleeps must
  /// Bytes from which UCX announces a message and the receiver fetches it. UCX's own choice, "auto", is slower by a
  /// factor of up to ten between 5 KiB and this on one host.
  std::string rendezvous_bytes = "128k";
};

/// With UCX's own words.
void check(ucs_status_t status, const char* what);
void check_request(void* request, const char* what);

/// Through a blocking socket between two processes. When the other end is gone, that is said.
void write_all(int socket, const void* data, std::size_t bytes);
void read_all(int socket, void* data, std::size_t bytes);

struct EndContext {
  void operator()(ucp_context_h context) const { ucp_cleanup(context); }
};
struct EndWorker {
  void operator()(ucp_worker_h worker) const { ucp_worker_destroy(worker); }
};
using UcxContext = std::unique_ptr<ucp_context, EndContext>;
using UcxWorker = std::unique_ptr<ucp_worker, EndWorker>;

UcxContext make_context(const LinkSettings& settings);
UcxWorker make_worker(ucp_context_h context);
ucp_ep_h make_endpoint(ucp_worker_h worker, const std::vector<std::byte>& address);

void send_address(int socket, ucp_worker_h worker);
std::vector<std::byte> receive_address(int socket);

}  // namespace kaon::bench
