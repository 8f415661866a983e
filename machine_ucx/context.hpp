// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// UCX set up for this process: configuration, features, transports. Workers of several threads may share one.
class Context {
 public:
  // With transports for the memory of this vendor's devices too; the calling thread uses one.
  explicit Context(DeviceVendor vendor = DeviceVendor::none);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] ucp_context_h handle() const { return handle_; }
  [[nodiscard]] DeviceVendor vendor() const { return vendor_; }
  // Memory that UCX wants in front of each request that we allocate ourselves.
  [[nodiscard]] std::size_t request_bytes() const { return request_bytes_; }

 private:
  void query();

  DeviceVendor vendor_;
  ucp_context_h handle_ = nullptr;
  std::size_t request_bytes_ = 0;
};

}  // namespace kaon::machine_ucx
