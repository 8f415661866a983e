// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/port.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "kaon/machine_ucx/completion.hpp"
#include "kaon/machine_ucx/floating_point.hpp"
#include "kaon/machine_ucx/network_order.hpp"
#include "kaon/machine_ucx/status.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/tag.hpp"

namespace kaon::machine_ucx {

namespace {

constexpr std::size_t kDataReceives = 64;
constexpr std::size_t kControlReceives = 8;

constexpr TagType type_of(Lane lane) { return lane == Lane::data ? TagType::host : TagType::control; }

// UCX does not check what it is given.
void check_memory(const void* data, std::size_t bytes) {
  if (data == nullptr && bytes != 0) [[unlikely]]
    throw UsageError("a transfer of " + std::to_string(bytes) + " bytes has no memory (null pointer)");
}

void check_batch(std::span<const std::byte> bytes) {
  if (bytes.size() > kBatchBytes) [[unlikely]] {
    throw UsageError("a batch of " + std::to_string(bytes.size()) + " bytes is longer than the " +
                     std::to_string(kBatchBytes) + " that a receive holds: send it as a payload");
  }
  check_memory(bytes.data(), bytes.size());
}

std::string name_payload(PeId from, std::uint32_t counter) {
  return "payload " + std::to_string(counter) + " of PE " + std::to_string(from);
}

}  // namespace

UcxPort::UcxPort(const Context& context, UcxMemoryTable& memory_table, ContactBook& contacts, PeId pe,
                 PortClient& client, HostCarrier carrier, const Secret& secret)
    : pe_(pe),
      client_(client),
      devices_(device_memory_of(context.vendor())),
      memory_table_(memory_table),
      tags_(secret),
      pool_(context.request_bytes()),
      worker_(context, secret, pe),
      endpoints_(context, worker_, contacts),
      send_(send_parameters(finished_)),
      receive_(receive_parameters(finished_)),
      carrier_(carrier),
      active_(worker_, client),
      data_(worker_, pool_, finished_, Lane::data, kDataReceives),
      control_(worker_, pool_, finished_, Lane::control, kControlReceives) {}

Operation& UcxPort::begin_send(PeId to, std::uint32_t counter, std::size_t bytes, Work& done) {
  order_threads_by_network();
  Operation& operation = pool_.take();
  operation.kind = OperationKind::send;
  operation.peer = to;
  operation.counter = counter;
  operation.bytes = bytes;
  operation.transfer = &done;
  send_.request = &operation;
  return operation;
}

bool UcxPort::is_sent(void* request, Operation& operation) {
  if (UCS_PTR_IS_PTR(request)) {
    ++sending_;
    return false;
  }
  pool_.give_back(operation);
  if (request != nullptr) [[unlikely]] {
    throw_status(UCS_PTR_STATUS(request), "sending to PE " + std::to_string(operation.peer));
  }
  return true;
}

bool UcxPort::send_batch(PeId to, Lane lane, std::span<const std::byte> bytes, Work& done) {
  check_batch(bytes);
  const DefaultFloatingPoint no_traps;
  const ucp_ep_h endpoint = endpoints_.at(to);
  Operation& operation = begin_send(to, 0, bytes.size(), done);
  send_.op_attr_mask |= UCP_OP_ATTR_FLAG_FAST_CMPL;  // the batch's memory is wanted back at once
  if (carrier_ == HostCarrier::active) return is_sent(active_.send(endpoint, lane, bytes, send_), operation);
  return is_sent(ucp_tag_send_nbx(endpoint, bytes.data(), bytes.size(), encode({type_of(lane)}), &send_), operation);
}

// What kind of memory it is and how UCX knows it, so that UCX need not find out.
void UcxPort::describe(const PayloadMemory& memory, ucp_request_param_t& parameters) {
  if (memory.kind == MemoryKind::host) return;
  parameters.memory_type = devices_.type;
  if (memory.region == nullptr) return;
  parameters.op_attr_mask |= UCP_OP_ATTR_FIELD_MEMH;
  parameters.memh = memory_table_.of(*memory.region);
}

bool UcxPort::send_payload(PeId to, std::uint32_t counter, PayloadMemory memory, Work& done) {
  check_memory(memory.data, memory.bytes);
  const DefaultFloatingPoint no_traps;
  const ucp_ep_h endpoint = endpoints_.at(to);
  Operation& operation = begin_send(to, counter, memory.bytes, done);
  send_.op_attr_mask &= ~std::uint32_t{UCP_OP_ATTR_FLAG_FAST_CMPL};
  ucp_request_param_t parameters = send_;
  describe(memory, parameters);
  const ucp_tag_t tag = tags_.of(pe_, counter);
  return is_sent(ucp_tag_send_nbx(endpoint, memory.data, memory.bytes, tag, &parameters), operation);
}

bool UcxPort::maps_device_memory(PeId to) {
  if (devices_.type == UCS_MEMORY_TYPE_HOST) return true;  // the emulation's devices have memory of the host
  ucp_transport_entry_t transports[32]{};
  ucp_ep_attr_t attributes{};
  attributes.field_mask = UCP_EP_ATTR_FIELD_TRANSPORTS;
  attributes.transports = {transports, 32, sizeof(ucp_transport_entry_t)};
  if (ucp_ep_query(endpoints_.at(to), &attributes) != UCS_OK) return true;  // nothing is known against it
  return std::any_of(transports, transports + attributes.transports.num_entries, [this](const auto& transport) {
    const std::string_view name = transport.transport_name;
    return name == devices_.transport || name.starts_with("rc_") || name.starts_with("dc_");
  });
}

bool UcxPort::receive_payload(PeId from, std::uint32_t counter, PayloadMemory memory, Work& done) {
  check_memory(memory.data, memory.bytes);
  const DefaultFloatingPoint no_traps;
  Operation& operation = pool_.take();
  operation.kind = OperationKind::receive_payload;
  operation.peer = from;
  operation.counter = counter;
  operation.expected_bytes = memory.bytes;
  operation.transfer = &done;
  const ucp_tag_t tag = tags_.of(from, counter);
  ucp_request_param_t parameters = receive_;
  describe(memory, parameters);
  if (!post_receive(worker_.handle(), memory.data, memory.bytes, tag, parameters, operation)) return false;
  order_threads_by_network();
  finish_payload(operation);
  return true;
}

// Those that have met their payload go on, and the others end without: both in progress().
void UcxPort::begin_epoch(std::uint8_t epoch) {
  if (!tags_.begin(epoch)) return;
  pool_.each([this](Operation& operation) {
    if (operation.kind == OperationKind::receive_payload && operation.transfer != nullptr)
      ucp_request_cancel(worker_.handle(), &operation);
  });
}

bool UcxPort::progress() {
  bool has_moved = worker_.progress();
  active_.rethrow();
  tags_.drop_old(worker_.handle(), pool_, receive_);
  // Only what is finished now: a reposted receive may find the next batch at once, which waits for the next call.
  for (const Operation* last = finished_.last(); last != nullptr && !finished_.is_empty();) {
    Operation& operation = finished_.pop();
    if (&operation == last) last = nullptr;
    finish(operation);
    has_moved = true;
  }
  return has_moved;
}

bool UcxPort::arm() { return finished_.is_empty() && worker_.arm(); }

void UcxPort::finish(Operation& operation) {
  order_threads_by_network();
  switch (operation.kind) {
    case OperationKind::receive_batch:
      return hand_over(operation);
    case OperationKind::send:
      return finish_send(operation);
    case OperationKind::receive_payload: {
      Work& done = *operation.transfer;
      finish_payload(operation);
      return client_.completed(done);
    }
    case OperationKind::drop_payload:
      return pool_.give_back(operation);
  }
}

void UcxPort::hand_over(Operation& operation) {
  if (operation.status != UCS_OK) [[unlikely]]
    throw_status(operation.status, "receiving a batch");
  client_.batch_arrived(operation.lane, {operation.buffer, operation.bytes});
  (operation.lane == Lane::data ? data_ : control_).post(operation);
}

void UcxPort::finish_send(Operation& operation) {
  --sending_;
  Work& done = *operation.transfer;
  pool_.give_back(operation);
  if (operation.status != UCS_OK) [[unlikely]] {
    throw_status(operation.status, "sending to PE " + std::to_string(operation.peer));
  }
  client_.completed(done);
}

void UcxPort::finish_payload(Operation& operation) {
  pool_.give_back(operation);
  if (operation.status == UCS_OK && operation.bytes == operation.expected_bytes) [[likely]]
    return;
  if (operation.status == UCS_ERR_CANCELED) return;  // its epoch is over
  const std::string name = name_payload(operation.peer, operation.counter);
  if (operation.status != UCS_OK && operation.status != UCS_ERR_MESSAGE_TRUNCATED) {
    throw_status(operation.status, "receiving " + name);
  }
  throw CorruptMessage(name + " has " + (operation.status == UCS_OK ? std::to_string(operation.bytes) : "more") +
                       " bytes where its message says " + std::to_string(operation.expected_bytes) +
                       ": start the same program in all processes");
}

}  // namespace kaon::machine_ucx
