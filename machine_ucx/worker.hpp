// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <vector>

#include "kaon/machine_ucx/context.hpp"
#include "kaon/machine_ucx/floating_point.hpp"
#include "kaon/machine_ucx/socket_guard.hpp"

namespace kaon::machine_ucx {

// The first worker of a process starts it.
inline constexpr const char* kThreadOfUcx = "the thread of UCX";

// UCX's unit of progress: driven by one thread and not protected against others.
class Worker {
 public:
  // `context` outlives the worker. The secret is the run's.
  Worker(const Context& context, const Secret& secret, PeId pe);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] ucp_worker_h handle() const { return handle_; }
  [[nodiscard]] std::vector<std::byte> address() const;
  [[nodiscard]] int event_fd() const { return event_fd_; }

  bool progress() {
    const SocketGuard::Scope guarded(guard_);
    const DefaultFloatingPoint no_traps;
    return ucp_worker_progress(handle_) != 0;
  }
  // Opens a connection; what it takes may also come later, in progress().
  ucs_status_t connect(const ucp_ep_params_t& params, ucp_ep_h& endpoint);
  // False: there is something to progress already.
  bool arm();

 private:
  SocketGuard guard_;  // lives longer than what it guards
  ucp_worker_h handle_ = nullptr;
  int event_fd_ = -1;  // belongs to the worker
};

}  // namespace kaon::machine_ucx
