// SPDX-License-Identifier: Apache-2.0
// Two processes with a device each, whose hosts poll words of memory that both share, and whose devices reach each
// other's memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "bench/gpu/floors/cuda.hpp"

namespace kaon::bench {

struct SharedPage {
  struct alignas(128) Word {
    std::atomic<std::uint32_t> value{0};
  };
  Word turn[2];  // the hop whose data is ready for this process
  Word here[2];  // barriers that this process has come to
  Word failed;   // one of them gave up
  cudaIpcMemHandle_t memory[2];
};

// Zeroed memory that children share. Throws std::runtime_error.
SharedPage& make_shared_page();

// One of the two. Made after the fork, before the first call of CUDA. Throws std::runtime_error.
class Pair {
 public:
  // `bytes` of device memory for each of two buffers.
  Pair(SharedPage& page, int rank, std::size_t bytes);
  ~Pair();
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  int rank() const { return rank_; }
  const Stream& stream() const { return stream_; }
  std::uint64_t* in() const { return words_of(memory_.data(), 0); }
  std::uint64_t* out() const { return words_of(memory_.data(), bytes_); }
  std::uint64_t* peer_in() const { return words_of(peer_, 0); }
  std::uint64_t* peer_out() const { return words_of(peer_, bytes_); }

  void barrier();
  // The host polls the stream by an event, as it must before it tells anybody.
  void wait_for_stream();
  // A word in pinned memory, and until a kernel has stored this there.
  std::uint32_t* shown() const { return shown_; }
  void wait_until_shown(std::uint32_t value);
  void wait_for_turn(std::uint32_t hop);
  void give_turn(std::uint32_t hop) { page_.turn[1 - rank_].value.store(hop, std::memory_order_release); }
  void reset_turns();

 private:
  static std::uint64_t* words_of(void* memory, std::size_t offset) {
    return reinterpret_cast<std::uint64_t*>(static_cast<std::byte*>(memory) + offset);
  }
  template <class Condition>
  void spin_until(const char* what, Condition condition);

  SharedPage& page_;
  int rank_;
  std::size_t bytes_;
  DeviceMemory memory_;  // the buffer that is filled from outside, then the one that is read from there
  Stream stream_;
  Event event_;
  void* peer_ = nullptr;
  std::uint32_t* shown_ = nullptr;
  std::uint32_t barriers_ = 0;
};

// Lets process `rank` see one device only: two processes with a context on one device take turns on it. Throws
// std::runtime_error.
void show_one_device(int rank);

}  // namespace kaon::bench
