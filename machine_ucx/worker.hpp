// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <vector>

#include "kaon/machine_ucx/context.hpp"

namespace kaon::machine_ucx {

// The first worker of a process starts it.
inline constexpr const char* kThreadOfUcx = "the thread of UCX";

// UCX's unit of progress: driven by one thread and not protected against others.
class Worker {
 public:
  // `context` outlives the worker.
  explicit Worker(const Context& context);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] ucp_worker_h handle() const { return handle_; }
  [[nodiscard]] std::vector<std::byte> address() const;
  [[nodiscard]] int event_fd() const { return event_fd_; }

  bool progress() { return ucp_worker_progress(handle_) != 0; }
  // False: there is something to progress already.
  bool arm();

 private:
  ucp_worker_h handle_ = nullptr;
  int event_fd_ = -1;  // belongs to the worker
};

}  // namespace kaon::machine_ucx
