// SPDX-License-Identifier: Apache-2.0
// Two processes of this machine that UCX connects, and nothing above it.
#pragma once

#include "bench/ucx_floor/ucx_parts.hpp"

namespace kaon::bench {

/// One end. Each of the two processes makes one over its end of a connected socket pair, after the fork. Throws
/// std::runtime_error.
class UcxConnection {
 public:
  /// `socket` stays the caller's.
  UcxConnection(int socket, bool is_first, const LinkSettings& settings);

  ucp_context_h context() const { return context_.get(); }
  ucp_worker_h worker() const { return worker_.get(); }
  ucp_ep_h endpoint() const { return endpoint_; }
  void progress() { ucp_worker_progress(worker_.get()); }
  /// Both ends have come here.
  void barrier();
  /// Returns, at both ends, the value that the first end gave.
  double from_first(double value);

 private:
  int socket_;
  bool is_first_;
  UcxContext context_;
  UcxWorker worker_;
  ucp_ep_h endpoint_;  // the worker's
};

}  // namespace kaon::bench
