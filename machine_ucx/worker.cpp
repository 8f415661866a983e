// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/worker.hpp"

#include "kaon/machine_ucx/shared_memory.hpp"
#include "kaon/machine_ucx/status.hpp"
#include "kaon/runtime/base/no_port.hpp"
#include "kaon/runtime/base/no_thread.hpp"

namespace kaon::machine_ucx {

Worker::Worker(const Context& context, const Secret& secret, PeId pe) : guard_(secret, context.shared_folder(), pe) {
  const SocketGuard::Scope guarded(guard_);
  const DefaultFloatingPoint no_traps;
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SINGLE;
  const ucs_status_t made = ucp_worker_create(context.handle(), &params, &handle_);
  if (made != UCS_OK) {
    if (guard_.lacks_ports()) throw_no_port("listening for TCP");
    require_thread(kThreadOfUcx);
    require_files_in_shared_memory(1);
    throw_status(made, "opening a worker");
  }
  const ucs_status_t status = ucp_worker_get_efd(handle_, &event_fd_);
  if (status == UCS_OK) return;
  ucp_worker_destroy(handle_);  // the destructor does not run when the constructor throws
  throw_status(status, "asking for an event descriptor to sleep on");
}

Worker::~Worker() { ucp_worker_destroy(handle_); }

ucs_status_t Worker::connect(const ucp_ep_params_t& params, ucp_ep_h& endpoint) {
  const SocketGuard::Scope guarded(guard_);
  const DefaultFloatingPoint no_traps;
  const ucs_status_t status = ucp_ep_create(handle_, &params, &endpoint);
  if (status != UCS_OK && guard_.lacks_ports()) throw_no_port("connecting over TCP");
  return status;
}

std::vector<std::byte> Worker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t bytes = 0;
  check_status(ucp_worker_get_address(handle_, &address, &bytes), "asking for a worker's address");
  const auto* first = reinterpret_cast<const std::byte*>(address);
  std::vector<std::byte> copy(first, first + bytes);
  ucp_worker_release_address(handle_, address);
  return copy;
}

bool Worker::arm() {
  const ucs_status_t status = ucp_worker_arm(handle_);
  if (status == UCS_ERR_BUSY) return false;
  check_status(status, "preparing to sleep");
  return true;
}

}  // namespace kaon::machine_ucx
