// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_link.hpp"

#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace kaon::bench {

namespace {

constexpr std::size_t kReceives = 64;
constexpr std::size_t kSendsInFlight = 256;
constexpr unsigned kActiveMessage = 1;
constexpr ucp_tag_t kTag = 1;

void check(ucs_status_t status, const char* what) {
  if (status != UCS_OK) throw std::runtime_error(std::string(what) + ": " + ucs_status_string(status));
}

void check_request(void* request, const char* what) {
  if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request), what);
}

void write_all(int fd, const void* data, std::size_t bytes) {
  if (write(fd, data, bytes) != static_cast<ssize_t>(bytes)) throw std::runtime_error("the other process is gone");
}

void read_all(int fd, void* data, std::size_t bytes) {
  for (auto* to = static_cast<std::byte*>(data); bytes > 0;) {
    const ssize_t got = read(fd, to, bytes);
    if (got <= 0) throw std::runtime_error("the other process is gone");
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

UcxLink::Memory UcxLink::allocate(std::size_t bytes) {
  return Memory(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64})));
}

UcxLink::UcxLink(int socket, bool is_first, const LinkSettings& settings) : socket_(socket), is_first_(is_first) {
  start(settings);
  open_worker();
  connect();
}

void UcxLink::start(const LinkSettings& settings) {
  ucp_config_t* config = nullptr;
  check(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
  ucs_status_t status = ucp_config_modify(config, "RNDV_THRESH", settings.rendezvous_bytes.c_str());
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = UCP_FEATURE_TAG | UCP_FEATURE_AM;
  if (settings.can_wake) params.features |= UCP_FEATURE_WAKEUP;
  if (status == UCS_OK) status = ucp_init(&params, config, &context_);
  ucp_config_release(config);
  check(status, "ucp_init");
}

void UcxLink::open_worker() {
  ucp_worker_params_t worker{};
  worker.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker.thread_mode = UCS_THREAD_MODE_SINGLE;
  check(ucp_worker_create(context_, &worker, &worker_), "ucp_worker_create");
  ucp_context_attr_t attributes{};
  attributes.field_mask = UCP_ATTR_FIELD_REQUEST_SIZE;
  check(ucp_context_query(context_, &attributes), "ucp_context_query");
  request_bytes_ = (attributes.request_size + 63) / 64 * 64 + 64;  // and a line behind it to hold the slot's number
  requests_ = allocate(request_bytes_ * kReceives);
}

UcxLink::~UcxLink() {
  if (worker_ != nullptr) ucp_worker_destroy(worker_);
  if (context_ != nullptr) ucp_cleanup(context_);
}

void UcxLink::connect() {
  exchange_address();
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
  params.address = reinterpret_cast<const ucp_address_t*>(peer_address_.data());
  check(ucp_ep_create(worker_, &params, &endpoint_), "ucp_ep_create");
  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG |
                       UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
  handler.id = kActiveMessage;
  handler.flags = UCP_AM_FLAG_WHOLE_MSG;
  handler.cb = arrived;
  handler.arg = this;
  check(ucp_worker_set_am_recv_handler(worker_, &handler), "ucp_worker_set_am_recv_handler");
}

void UcxLink::exchange_address() {
  ucp_address_t* own = nullptr;
  std::size_t bytes = 0;
  check(ucp_worker_get_address(worker_, &own, &bytes), "ucp_worker_get_address");
  write_all(socket_, &bytes, sizeof bytes);
  write_all(socket_, own, bytes);
  ucp_worker_release_address(worker_, own);
  read_all(socket_, &bytes, sizeof bytes);
  peer_address_.resize(bytes);
  read_all(socket_, peer_address_.data(), bytes);
}

void UcxLink::barrier() {
  char byte = 0;
  write_all(socket_, &byte, 1);
  read_all(socket_, &byte, 1);
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
  void* request = ucp_am_recv_data_nbx(link.worker_, data, link.incoming_.data(), bytes, &fetch);
  check_request(request, "ucp_am_recv_data_nbx");
  if (request == nullptr) ++link.arrived_;
  return UCS_INPROGRESS;
}

void UcxLink::send(Carrier carrier, std::size_t bytes) {
  ucp_request_param_t how = parameters();
  how.cb.send = sent;
  void* request = carrier == Carrier::tagged
                      ? ucp_tag_send_nbx(endpoint_, outgoing_.data(), bytes, kTag, &how)
                      : ucp_am_send_nbx(endpoint_, kActiveMessage, nullptr, 0, outgoing_.data(), bytes, &how);
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
  void* status = ucp_tag_recv_nbx(worker_, incoming_.data() + slot * slot_bytes_, bytes, kTag, ~ucp_tag_t{0}, &how);
  check_request(status, "ucp_tag_recv_nbx");
  if (status != nullptr) return;
  ++arrived_;
  free_slots_.push_back(slot);
}

void UcxLink::wait_for(std::size_t arrived) {
  while (arrived_ < arrived) ucp_worker_progress(worker_);
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
  while (sending_ > 0) ucp_worker_progress(worker_);
}

double UcxLink::latency_us(Carrier carrier, std::size_t bytes, int round_trips) {
  fit(bytes);
  barrier();
  ping(carrier, bytes, round_trips / 10 + 1);
  const auto start = std::chrono::steady_clock::now();
  ping(carrier, bytes, round_trips);
  const double seconds = seconds_since(start);
  barrier();
  return seconds * 1e6 / (2.0 * round_trips);
}

void UcxLink::flood(Carrier carrier, std::size_t bytes, int messages) {
  for (int i = 0; i < messages; ++i) {
    send(carrier, bytes);
    while (sending_ >= kSendsInFlight) ucp_worker_progress(worker_);
  }
  while (sending_ > 0) ucp_worker_progress(worker_);
}

void UcxLink::drain(Carrier carrier, std::size_t bytes, int messages) {
  const std::size_t last = static_cast<std::size_t>(messages);
  std::size_t posted = carrier == Carrier::tagged ? kReceives : 0;
  for (std::size_t slot = 0; slot < posted; ++slot) post_receive(slot, bytes);
  while (arrived_ < last) {
    ucp_worker_progress(worker_);
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
  barrier();
  const auto start = std::chrono::steady_clock::now();
  is_first_ ? flood(carrier, bytes, messages) : drain(carrier, bytes, messages);
  barrier();  // the first has the time of the last arrival
  return is_first_ ? messages / seconds_since(start) : 0;
}

}  // namespace kaon::bench
