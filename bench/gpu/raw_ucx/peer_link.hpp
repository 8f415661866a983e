// SPDX-License-Identifier: Apache-2.0
// Plain tagged messages of UCX between two processes, from and to memory of a device or of the host.
#pragma once

#include <ucp/api/ucp.h>

#include <cstddef>
#include <string>

#include "bench/ucx_floor/ucx_parts.hpp"

namespace kaon::bench {

// Memory that messages leave or reach, known to UCX from the start. Whoever makes it keeps it alive until close().
struct Region {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  ucs_memory_type_t type = UCS_MEMORY_TYPE_HOST;
  ucp_mem_h handle = nullptr;
};

// What one process does in a measurement of bandwidth.
struct Traffic {
  std::size_t bytes;  // of a message
  int outgoing;       // messages
  int incoming;
};

// One end of two. Both processes make one over a connected socket and call the same functions. Throws
// std::runtime_error, also when nothing happens for half a minute.
class PeerLink {
 public:
  // `rendezvous`: bytes from which UCX announces a message first, or "auto", its own choice. `socket` stays the
  // caller's.
  PeerLink(int socket, bool is_first, const std::string& rendezvous);
  PeerLink(const PeerLink&) = delete;
  PeerLink& operator=(const PeerLink&) = delete;

  Region open(void* data, std::size_t bytes, ucs_memory_type_t type);
  void close(Region& region);

  // What later messages leave and reach.
  void use(const Region& outgoing, const Region& incoming);

  // One way in microseconds: half a round trip. Each receive is posted before its message can come.
  double latency_us(std::size_t bytes, int round_trips);
  // Seconds until both ends have all messages. As many are on their way as the regions have room for, at most 64.
  double seconds(const Traffic& traffic);
  void barrier();

 private:
  ucp_request_param_t parameters(const Region& region) const;
  void send(std::size_t bytes);
  void post_receive(std::size_t bytes);
  template <class Condition>
  void progress_until(Condition condition, const char* what);
  void ping(std::size_t bytes, int round_trips);
  bool advance(const Traffic& traffic, std::size_t window);
  void begin() { sent_ = finished_ = posted_ = arrived_ = 0; }

  // Called by UCX, through which no exception may pass: a failure ends the program.
  static void finished(void* request, ucs_status_t status, void* self) noexcept;
  static void arrived(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* self) noexcept;

  int socket_;
  bool is_first_;
  UcxContext context_;
  UcxWorker worker_;
  ucp_ep_h endpoint_ = nullptr;
  Region outgoing_, incoming_;
  // Messages of the measurement: given to UCX, done; posted, here.
  std::size_t sent_ = 0, finished_ = 0, posted_ = 0, arrived_ = 0;
  ucp_tag_t next_sent_ = 0, next_posted_ = 0;  // each message has its own tag, matched as a whole
  std::size_t window_ = 1;                     // messages that a region has room for
};

}  // namespace kaon::bench
