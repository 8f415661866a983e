// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <string>

#include "kaon/runtime/base/interfaces.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

struct ContextSettings {
  DeviceVendor vendor = DeviceVendor::none;  // of the devices whose memory is moved
  int hosts = 1;                             // of the run
  std::string interface;                     // of the network between them
  std::string shared_folder;                 // for shared memory within a host; empty: UCX's own
};

// UCX set up for this process: configuration, features, transports. Workers of several threads may share one.
class Context {
 public:
  // The calling thread uses a device whose memory is moved. Throws UsageError when the run has several hosts and
  // nobody has said which network is between them, or this host has no such network.
  explicit Context(const ContextSettings& settings = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] ucp_context_h handle() const { return handle_; }
  [[nodiscard]] DeviceVendor vendor() const { return vendor_; }
  // Version and transports: those it may use; which it does, it decides for each peer.
  [[nodiscard]] std::string describe() const;
  // Whether the network between hosts is there now, as far as this host can tell.
  [[nodiscard]] bool has_network() const { return is_network_of_user_ || network_.is_usable(); }
  // Of the run, in shared memory; empty: UCX uses its own.
  [[nodiscard]] const std::string& shared_folder() const { return shared_folder_; }
  // Memory that UCX wants in front of each request that we allocate ourselves.
  [[nodiscard]] std::size_t request_bytes() const { return request_bytes_; }

 private:
  void query();

  DeviceVendor vendor_;
  runtime::Interfaces network_;
  bool is_network_of_user_;  // by UCX's own variables, whose names may be of another kind than interfaces
  ucp_context_h handle_ = nullptr;
  std::size_t request_bytes_ = 0;
  std::string shared_folder_;
  std::string transports_;
};

}  // namespace kaon::machine_ucx
