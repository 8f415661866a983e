// SPDX-License-Identifier: Apache-2.0
// Two processes of this machine that UCX connects, and nothing above it.
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <string>
#include <vector>

namespace kaon::bench {

struct LinkSettings {
  bool can_wake = false;  ///< ask UCX for an event descriptor, as a program that sleeps must
  /// Bytes from which UCX announces a message and the receiver fetches it. UCX's own choice, "auto", is slower by a
  /// factor of up to ten between 5 KiB and this on one host.
  std::string rendezvous_bytes = "128k";
};

/// Throws std::runtime_error with UCX's own words.
void check(ucs_status_t status, const char* what);
void check_request(void* request, const char* what);

/// One end. Each of the two processes makes one over its end of a connected socket pair, after the fork. Throws
/// std::runtime_error.
class UcxConnection {
 public:
  /// `socket` stays the caller's.
  UcxConnection(int socket, bool is_first, const LinkSettings& settings);
  ~UcxConnection();
  UcxConnection(const UcxConnection&) = delete;
  UcxConnection& operator=(const UcxConnection&) = delete;

  ucp_context_h context() const { return context_; }
  ucp_worker_h worker() const { return worker_; }
  ucp_ep_h endpoint() const { return endpoint_; }
  void progress() { ucp_worker_progress(worker_); }
  /// Both ends have come here.
  void barrier();
  /// What the first end gave, at both ends.
  double from_first(double value);

 private:
  void start(const LinkSettings& settings);
  void open_worker();
  void connect();
  std::vector<std::byte> exchange_address();

  int socket_;
  bool is_first_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
};

}  // namespace kaon::bench
