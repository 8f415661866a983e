// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kaon/machine_ucx/active_messages.hpp"
#include "kaon/machine_ucx/contact_book.hpp"
#include "kaon/machine_ucx/device_memory.hpp"
#include "kaon/machine_ucx/endpoint_table.hpp"
#include "kaon/machine_ucx/operation.hpp"
#include "kaon/machine_ucx/payload_tags.hpp"
#include "kaon/machine_ucx/receive_ring.hpp"
#include "kaon/machine_ucx/request_pool.hpp"
#include "kaon/machine_ucx/ucx_memory_table.hpp"
#include "kaon/machine_ucx/worker.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// What carries host batches: tagged messages into posted receives, or active messages.
enum class HostCarrier : std::uint8_t { tagged, active };

// The network end of a PE over UCX: a worker, and the operations that it has not finished.
// The memory of transfers that have not completed must outlive the port; it then forgets them.
class UcxPort final : public Port {
 public:
  UcxPort(const Context& context, UcxMemoryTable& memory_table, ContactBook& contacts, PeId pe, PortClient& client,
          HostCarrier carrier, const Secret& secret);

  bool send_batch(PeId to, Lane lane, std::span<const std::byte> bytes, Work& done) override;
  bool send_payload(PeId to, std::uint32_t counter, PayloadMemory memory, Work& done) override;
  bool receive_payload(PeId from, std::uint32_t counter, PayloadMemory memory, Work& done) override;
  void begin_epoch(std::uint8_t epoch) override;
  bool maps_device_memory(PeId to) override;
  bool progress() override;
  int event_fd() const override { return worker_.event_fd(); }
  bool arm() override;
  bool is_sending() const override { return sending_ != 0; }

  [[nodiscard]] std::vector<std::byte> address() const { return worker_.address(); }

 private:
  void describe(const PayloadMemory& memory, ucp_request_param_t& parameters);
  Operation& begin_send(PeId to, std::uint32_t counter, std::size_t bytes, Work& done);
  bool is_sent(void* request, Operation& operation);
  void finish(Operation& operation);
  void finish_send(Operation& operation);
  void finish_payload(Operation& operation);
  void hand_over(Operation& operation);

  // Members are destroyed from the last to the first: receives are taken back, then connections closed, then the worker
  // ends, and only then goes the memory of the requests.
  PeId pe_;
  PortClient& client_;
  const DeviceMemory& devices_;
  UcxMemoryTable& memory_table_;
  PayloadTags tags_;
  RequestPool pool_;
  OperationQueue finished_;
  std::size_t sending_ = 0;
  Worker worker_;
  EndpointTable endpoints_;
  ucp_request_param_t send_;
  ucp_request_param_t receive_;
  HostCarrier carrier_;  // of what is sent here; both are received, so that processes may differ
  ActiveMessages active_;
  ReceiveRing data_;
  ReceiveRing control_;
};

}  // namespace kaon::machine_ucx
