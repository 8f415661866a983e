// SPDX-License-Identifier: Apache-2.0
// Plain UCX between two processes: what messages cost below any runtime.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "bench/ucx_floor/ucx_connection.hpp"

namespace kaon::bench {

enum class Carrier { tagged, active };

// Messages of one buffer that nobody touches. Both processes make one over their connection and call the same functions
// with the same arguments. Throws std::runtime_error.
class UcxLink {
 public:
  // `connection` outlives it.
  UcxLink(UcxConnection& connection, bool is_first);

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

  UcxConnection& connection_;
  bool is_first_;
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
