// SPDX-License-Identifier: Apache-2.0
// Plain UCX between two processes: what messages cost below any runtime.
#pragma once
#include <ucp/api/ucp.h>

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace kaon::bench {

enum class Carrier { tagged, active };

struct LinkSettings {
  bool can_wake = false;  // ask UCX for an event descriptor, as a program that sleeps must
  // Bytes from which UCX announces a message and the receiver fetches it. UCX's own choice, "auto", is slower by a
  // factor of up to ten between 5 KiB and this on one host.
  std::string rendezvous_bytes = "128k";
};

// One end. Each of the two processes makes one over its end of a connected socket pair, after the fork, and both call
// the same functions with the same arguments. Throws std::runtime_error.
class UcxLink {
 public:
  // `socket` stays the caller's.
  UcxLink(int socket, bool is_first, const LinkSettings& settings);
  ~UcxLink();
  UcxLink(const UcxLink&) = delete;
  UcxLink& operator=(const UcxLink&) = delete;

  // One way, in microseconds: half a round trip, on average, receives posted before the message leaves.
  double latency_us(Carrier carrier, std::size_t bytes, int round_trips);
  // Messages a second from the first process to the second, as it sees them; the other one returns 0.
  double messages_per_second(Carrier carrier, std::size_t bytes, int messages);

 private:
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{64}); }
  };
  using Memory = std::unique_ptr<std::byte, FreeAligned>;
  static Memory allocate(std::size_t bytes);

  void start(const LinkSettings& settings);
  void open_worker();
  void connect();
  void exchange_address();
  void barrier();
  void fit(std::size_t bytes);
  ucp_request_param_t parameters();

  void send(Carrier carrier, std::size_t bytes);
  void post_receive(std::size_t slot, std::size_t bytes);
  void wait_for(std::size_t arrived);
  void ping(Carrier carrier, std::size_t bytes, int round_trips);
  void flood(Carrier carrier, std::size_t bytes, int messages);
  void drain(Carrier carrier, std::size_t bytes, int messages);

  // Called by UCX, through which no exception may pass: a failure ends the program.
  static void sent(void* request, ucs_status_t status, void* self) noexcept;
  static void received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* self) noexcept;
  static ucs_status_t arrived(void* self, const void* header, std::size_t header_bytes, void* data, std::size_t bytes,
                              const ucp_am_recv_param_t* parameters) noexcept;
  static void fetched(void* request, ucs_status_t status, std::size_t bytes, void* self) noexcept;

  int socket_;
  bool is_first_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  std::vector<std::byte> peer_address_;
  std::size_t request_bytes_ = 0;
  Memory requests_;  // UCX's memory of the receives' requests, one after the other
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;  // one slot for each posted receive
  std::size_t slot_bytes_ = 0;
  std::size_t arrived_ = 0;              // messages, since the start of the measurement
  std::size_t sending_ = 0;              // sends that UCX has not finished
  std::vector<std::size_t> free_slots_;  // whose receive is finished and not posted again
};

}  // namespace kaon::bench
