// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <exception>
#include <span>
#include <utility>

#include "kaon/machine_ucx/worker.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// Host batches as active messages: handed over where UCX has received them, without the copy into a posted receive.
class ActiveMessages {
 public:
  // Both live longer.
  ActiveMessages(Worker& worker, PortClient& client);
  // What arrives from now on is dropped.
  ~ActiveMessages();
  ActiveMessages(const ActiveMessages&) = delete;
  ActiveMessages& operator=(const ActiveMessages&) = delete;

  // The parameters are those of a tagged send. Returns as UCX does.
  void* send(ucp_ep_h to, Lane lane, std::span<const std::byte> bytes, ucp_request_param_t parameters);

  // Exceptions must not pass through UCX: those of the client are kept and thrown from here, outside it.
  void rethrow() {
    if (error_ != nullptr) [[unlikely]]
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  template <Lane lane>
  static ucs_status_t arrived(void* self, const void* header, std::size_t header_bytes, void* data, std::size_t bytes,
                              const ucp_am_recv_param_t* parameters);
  void hand_over(Lane lane, std::span<const std::byte> bytes, bool is_complete) noexcept;

  Worker& worker_;
  PortClient& client_;
  std::exception_ptr error_;
};

}  // namespace kaon::machine_ucx
