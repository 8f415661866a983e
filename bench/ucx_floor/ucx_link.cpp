// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_link.hpp"

#include <chrono>
#include <stdexcept>

namespace kaon::bench {

namespace {

constexpr std::size_t kReceives = 64;
constexpr std::size_t kSendsInFlight = 256;
constexpr unsigned kActiveMessage = 1;
constexpr ucp_tag_t kTag = 1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

UcxLink::Memory UcxLink::allocate(std::size_t bytes) {
  return Memory(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64})));
}

UcxLink::UcxLink(UcxConnection& connection, bool is_first) : connection_(connection), is_first_(is_first) {
  ucp_context_attr_t attributes{};
  attributes.field_mask = UCP_ATTR_FIELD_REQUEST_SIZE;
  check(ucp_context_query(connection.context(), &attributes), "ucp_context_query");
  request_bytes_ = (attributes.request_size + 63) / 64 * 64 + 64;  // and a line behind it to hold the slot's number
  requests_ = allocate(request_bytes_ * kReceives);
  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG |
                       UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
  handler.id = kActiveMessage;
  handler.flags = UCP_AM_FLAG_WHOLE_MSG;
  handler.cb = arrived;
  handler.arg = this;
  check(ucp_worker_set_am_recv_handler(connection.worker(), &handler), "ucp_worker_set_am_recv_handler");
}

void UcxLink::fit(std::size_t bytes) {
  slot_bytes_ = (bytes + 64) / 64 * 64;
  outgoing_.resize(slot_bytes_);
  incoming_.resize(slot_bytes_ * kReceives);
  arrived_ = 0;
  free_slots_.clear();
}

ucp_request_param_t UcxLink::parameters() {
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE;
  parameters.user_data = this;
  parameters.memory_type = UCS_MEMORY_TYPE_HOST;
  return parameters;
}

void UcxLink::sent(void* request, ucs_status_t status, void* self) noexcept {
  check(status, "a send");
  --static_cast<UcxLink*>(self)->sending_;
  ucp_request_free(request);
}

void UcxLink::received(void* request, ucs_status_t status, const ucp_tag_recv_info_t*, void* self) noexcept {
  check(status, "a receive");
  auto& link = *static_cast<UcxLink*>(self);
  ++link.arrived_;
  link.free_slots_.push_back(*static_cast<std::size_t*>(request));
}

void UcxLink::fetched(void* request, ucs_status_t status, std::size_t, void* self) noexcept {
  check(status, "fetching the data of an active message");
  ++static_cast<UcxLink*>(self)->arrived_;
  ucp_request_free(request);
}

ucs_status_t UcxLink::arrived(void* self, const void*, std::size_t, void* data, std::size_t bytes,
                              const ucp_am_recv_param_t* parameters) noexcept {
  auto& link = *static_cast<UcxLink*>(self);
  if ((parameters->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) == 0) {
    ++link.arrived_;
    return UCS_OK;
  }
  ucp_request_param_t fetch = link.parameters();
  fetch.cb.recv_am = fetched;
  void* request = ucp_am_recv_data_nbx(link.connection_.worker(), data, link.incoming_.data(), bytes, &fetch);
  check_request(request, "ucp_am_recv_data_nbx");
  if (request == nullptr) ++link.arrived_;
  return UCS_INPROGRESS;
}

void UcxLink::send(Carrier carrier, std::size_t bytes) {
  ucp_request_param_t how = parameters();
  how.cb.send = sent;
  void* request =
      carrier == Carrier::tagged
          ? ucp_tag_send_nbx(connection_.endpoint(), outgoing_.data(), bytes, kTag, &how)
          : ucp_am_send_nbx(connection_.endpoint(), kActiveMessage, nullptr, 0, outgoing_.data(), bytes, &how);
  check_request(request, "a send");
  if (request != nullptr) ++sending_;
}

void UcxLink::post_receive(std::size_t slot, std::size_t bytes) {
  ucp_request_param_t how = parameters();
  how.op_attr_mask |= UCP_OP_ATTR_FIELD_REQUEST;
  how.cb.recv = received;
  std::byte* const request = requests_.get() + (slot + 1) * request_bytes_ - 64;
  *reinterpret_cast<std::size_t*>(request) = slot;
  how.request = request;
  void* status =
      ucp_tag_recv_nbx(connection_.worker(), incoming_.data() + slot * slot_bytes_, bytes, kTag, ~ucp_tag_t{0}, &how);
  check_request(status, "ucp_tag_recv_nbx");
  if (status != nullptr) return;
  ++arrived_;
  free_slots_.push_back(slot);
}

void UcxLink::wait_for(std::size_t arrived) {
  while (arrived_ < arrived) connection_.progress();
}

void UcxLink::ping(Carrier carrier, std::size_t bytes, int round_trips) {
  const std::size_t first = arrived_;
  if (carrier == Carrier::tagged) post_receive(0, bytes);
  for (int i = 1; i <= round_trips; ++i) {
    if (is_first_) send(carrier, bytes);
    wait_for(first + static_cast<std::size_t>(i));
    if (carrier == Carrier::tagged && i < round_trips) post_receive(0, bytes);
    if (!is_first_) send(carrier, bytes);
    free_slots_.clear();
  }
  while (sending_ > 0) connection_.progress();
}

double UcxLink::latency_us(Carrier carrier, std::size_t bytes, int round_trips) {
  fit(bytes);
  connection_.barrier();
  ping(carrier, bytes, round_trips / 10 + 1);
  const auto start = std::chrono::steady_clock::now();
  ping(carrier, bytes, round_trips);
  const double seconds = seconds_since(start);
  connection_.barrier();
  return seconds * 1e6 / (2.0 * round_trips);
}

void UcxLink::flood(Carrier carrier, std::size_t bytes, int messages) {
  for (int i = 0; i < messages; ++i) {
    send(carrier, bytes);
    while (sending_ >= kSendsInFlight) connection_.progress();
  }
  while (sending_ > 0) connection_.progress();
}

void UcxLink::drain(Carrier carrier, std::size_t bytes, int messages) {
  const std::size_t last = static_cast<std::size_t>(messages);
  std::size_t posted = carrier == Carrier::tagged ? kReceives : 0;
  for (std::size_t slot = 0; slot < posted; ++slot) post_receive(slot, bytes);
  while (arrived_ < last) {
    connection_.progress();
    while (!free_slots_.empty()) {
      const std::size_t slot = free_slots_.back();
      free_slots_.pop_back();
      if (posted < last) ++posted, post_receive(slot, bytes);
    }
  }
}

double UcxLink::messages_per_second(Carrier carrier, std::size_t bytes, int messages) {
  if (messages < static_cast<int>(kReceives)) throw std::runtime_error("a rate needs at least 64 messages");
  fit(bytes);
  connection_.barrier();
  const auto start = std::chrono::steady_clock::now();
  is_first_ ? flood(carrier, bytes, messages) : drain(carrier, bytes, messages);
  connection_.barrier();  // the first has the time of the last arrival
  return is_first_ ? messages / seconds_since(start) : 0;
}

}  // namespace kaon::bench
