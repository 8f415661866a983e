// SPDX-License-Identifier: Apache-2.0
// Plain UCX in two patterns of traffic: that of benchmarks, whose buffers never change, and that of programs, which
// work on what arrived and send it on.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "bench/ucx_floor/ucx_connection.hpp"

namespace kaon::bench {

enum class Pattern {
  fixed,      ///< each message leaves a buffer that nobody touches, and lands in another such
  handed_on,  ///< what arrived is modified and sent on; the next message lands in another buffer of a small set
};

/// Balls thrown to and fro: a message each. With one ball of the first process the time of a throw is a latency; with
/// several of both, what both directions carry at once.
struct Game {
  std::size_t bytes;
  int balls;  ///< of the first process; and of the second, when `is_both_ways`
  bool is_both_ways;
  int throws;  ///< of each ball, an even number: it ends where it began
  Pattern pattern;

  int all_balls() const { return is_both_ways ? 2 * balls : balls; }
};

/// Both processes make one over their connection and play the same games. Throws std::runtime_error.
class UcxBalls {
 public:
  /// `connection` outlives it.
  UcxBalls(UcxConnection& connection, bool is_first) : connection_(connection), is_first_(is_first) {}

  /// Until all balls are where they began.
  double seconds(const Game& game);

 private:
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{64}); }
  };
  struct Buffer {
    UcxBalls* game;
    std::unique_ptr<std::byte, FreeAligned> memory;
  };
  struct Arrival {
    Buffer* buffer;
    ucp_tag_t throws_left;
  };

  void prepare(const Game& game);
  void play(const Game& game);
  void answer(const Game& game, const Arrival& arrival);
  void post_receive(Buffer& into, std::size_t bytes);
  void send(Buffer& from, std::size_t bytes, ucp_tag_t throws_left);
  static void require_whole(const Buffer& ball, const Game& game);
  Buffer& take_free();

  // Called by UCX, through which no exception may pass: a failure ends the program.
  static void sent(void* request, ucs_status_t status, void* buffer) noexcept;
  static void received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* buffer) noexcept;

  UcxConnection& connection_;
  bool is_first_;
  std::vector<Buffer> buffers_;
  std::vector<Buffer*> free_;  // the last one that came back is the next one taken: it is in the cache
  std::vector<Arrival> arrivals_;
  int to_post_ = 0;    // receives
  int to_answer_ = 0;  // messages that did not come yet
  int in_flight_ = 0;  // sends
};

}  // namespace kaon::bench
