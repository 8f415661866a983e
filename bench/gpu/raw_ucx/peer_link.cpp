// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/raw_ucx/peer_link.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <stdexcept>

namespace kaon::bench {

namespace {

constexpr std::size_t kMostInFlight = 64;
constexpr std::chrono::seconds kPatience{30};
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

PeerLink::PeerLink(int socket, bool is_first, const std::string& rendezvous)
    : socket_(socket),
      is_first_(is_first),
      context_(make_context({.features = UCP_FEATURE_TAG, .rendezvous_bytes = rendezvous})),
      worker_(make_worker(context_.get())) {
  send_address(socket_, worker_.get());
  endpoint_ = make_endpoint(worker_.get(), receive_address(socket_));
}

Region PeerLink::open(void* data, std::size_t bytes, ucs_memory_type_t type) {
  Region region{static_cast<std::byte*>(data), bytes, type, nullptr};
  ucp_mem_map_params_t params{};
  params.field_mask =
      UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE;
  params.address = data;
  params.length = bytes;
  params.memory_type = type;
  check(ucp_mem_map(context_.get(), &params, &region.handle), "ucp_mem_map");
  return region;
}

void PeerLink::close(Region& region) {
  barrier();  // the other process may still read it
  check(ucp_mem_unmap(context_.get(), region.handle), "ucp_mem_unmap");
  region = {};
}

void PeerLink::use(const Region& outgoing, const Region& incoming) {
  outgoing_ = outgoing;
  incoming_ = incoming;
}

ucp_request_param_t PeerLink::parameters(const Region& region) const {
  ucp_request_param_t parameters{};
  parameters.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FIELD_MEMH;
  parameters.user_data = const_cast<PeerLink*>(this);
  parameters.memory_type = region.type;
  parameters.memh = region.handle;
  return parameters;
}

void PeerLink::finished(void* request, ucs_status_t status, void* self) noexcept {
  check(status, "a send");
  ++static_cast<PeerLink*>(self)->finished_;
  ucp_request_free(request);
}

void PeerLink::arrived(void* request, ucs_status_t status, const ucp_tag_recv_info_t*, void* self) noexcept {
  check(status, "a receive");
  ++static_cast<PeerLink*>(self)->arrived_;
  ucp_request_free(request);
}

void PeerLink::send(std::size_t bytes) {
  ucp_request_param_t how = parameters(outgoing_);
  how.cb.send = finished;
  const std::byte* const from = outgoing_.data + sent_++ % window_ * bytes;
  void* const request = ucp_tag_send_nbx(endpoint_, from, bytes, next_sent_++, &how);
  check_request(request, "ucp_tag_send_nbx");
  if (request == nullptr) ++finished_;
}

void PeerLink::post_receive(std::size_t bytes) {
  ucp_request_param_t how = parameters(incoming_);
  how.cb.recv = arrived;
  std::byte* const to = incoming_.data + posted_++ % window_ * bytes;
  void* const request = ucp_tag_recv_nbx(worker_.get(), to, bytes, next_posted_++, ~ucp_tag_t{0}, &how);
  check_request(request, "ucp_tag_recv_nbx");
  if (request == nullptr) ++arrived_;
}

template <class Condition>
void PeerLink::progress_until(Condition condition, const char* what) {
  constexpr int kBetweenLooks = 4096;  // at the clock
  const auto deadline = Clock::now() + kPatience;
  for (int spins = 0; !condition(); ++spins) {
    ucp_worker_progress(worker_.get());
    if (spins % kBetweenLooks == 0 && Clock::now() > deadline) {
      throw std::runtime_error(std::string("half a minute went by in waiting for ") + what);
    }
  }
}

// Moves the network meanwhile: the other process may need it for what it does before it comes here.
void PeerLink::barrier() {
  char byte = 0;
  write_all(socket_, &byte, 1);
  progress_until(
      [&] {
        const ssize_t got = recv(socket_, &byte, 1, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN)) throw std::runtime_error("the other process is gone");
        return got == 1;
      },
      "the other process");
}

void PeerLink::ping(std::size_t bytes, int round_trips) {
  begin();
  const auto count = static_cast<std::size_t>(round_trips);
  post_receive(bytes);
  barrier();
  for (std::size_t i = 1; i <= count; ++i) {
    if (is_first_) send(bytes);
    progress_until([&] { return arrived_ >= i; }, "a message");
    if (i < count) post_receive(bytes);
    if (!is_first_) send(bytes);
  }
  progress_until([&] { return finished_ == sent_; }, "a send");
}

double PeerLink::latency_us(std::size_t bytes, int round_trips) {
  window_ = 1;
  ping(bytes, round_trips / 10 + 2);
  const auto start = Clock::now();
  ping(bytes, round_trips);
  const double seconds = seconds_since(start);
  barrier();
  return seconds * 1e6 / (2.0 * round_trips);
}

// Gives UCX what there is room for. True when all is done.
bool PeerLink::advance(const Traffic& traffic, std::size_t window) {
  const auto outgoing = static_cast<std::size_t>(traffic.outgoing),
             incoming = static_cast<std::size_t>(traffic.incoming);
  while (posted_ < incoming && posted_ - arrived_ < window) post_receive(traffic.bytes);
  while (sent_ < outgoing && sent_ - finished_ < window) send(traffic.bytes);
  return arrived_ == incoming && finished_ == outgoing;
}

double PeerLink::seconds(const Traffic& traffic) {
  begin();
  window_ = std::clamp<std::size_t>(std::min(outgoing_.bytes, incoming_.bytes) / traffic.bytes, 1, kMostInFlight);
  advance({traffic.bytes, 0, traffic.incoming}, window_);
  barrier();  // all receives that fit are posted
  const auto start = Clock::now();
  progress_until([&] { return advance(traffic, window_); }, "messages");
  barrier();
  return seconds_since(start);
}

}  // namespace kaon::bench
