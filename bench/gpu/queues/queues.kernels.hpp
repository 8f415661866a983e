// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that post many requests, and kernels that put and notify in turns.
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/queues/send_queue.hpp"

namespace queue_bench {

namespace gpu = kaon::gpu;

enum class Sharing : std::uint32_t { thread, warp, block, grid };

/// The requests of a kernel. Each thread has some places of its own in the source and the target.
struct Posts {
  static constexpr std::uint32_t kMostQueues = 32;
  gpu::SendQueue queues[kMostQueues];
  gpu::WorkRequest request;  // but for its offsets
  std::uint32_t count;       // of each thread
  std::uint32_t places;      // of each thread
  gpu::StoredFields stored;
  bool is_pipelined;  // else each request is waited for
  std::uint64_t* ns;  // of each queue
  std::uint32_t* failures;
  std::uint32_t* arrived;

  KAON_DEVICE gpu::WorkRequest request_of(std::size_t thread, std::uint32_t i) const {
    gpu::WorkRequest own = request;
    own.local_offset = own.remote_offset = (thread * places + i % places) * own.bytes;
    return own;
  }
  template <class Context>
  KAON_DEVICE bool check(Context& at, gpu::RequestStatus status) const {
    if (status != gpu::RequestStatus::ok) at.add_into(failures, 1U);
    return status == gpu::RequestStatus::ok;
  }
  /// By the threads of `group`, all of which call it; false after a failure.
  template <class Context, class Group>
  KAON_DEVICE bool post_all(Context& at, Group& group, const gpu::SendQueue& queue) const {
    const gpu::Ring ring = is_pipelined ? gpu::Ring::by_policy : gpu::Ring::now;
    for (std::uint32_t i = 0; i < count; ++i) {
      const gpu::Posted posted = queue.post_each(group, request_of(at.index(), i), stored, ring);
      bool is_right = check(at, posted.status);
      if (is_right && !is_pipelined && group.is_first()) {
        const auto last = static_cast<std::uint32_t>(group.threads().volume()) - 1;
        is_right = check(at, queue.wait(at, posted.index + last));
      }
      if (group.sum(is_right ? 0U : 1U) > 0) return false;
    }
    return true;
  }
  /// By one thread.
  template <class Context>
  KAON_DEVICE bool post_alone(Context& at, const gpu::SendQueue& queue) const {
    const gpu::Ring ring = is_pipelined ? gpu::Ring::by_policy : gpu::Ring::now;
    for (std::uint32_t i = 0; i < count; ++i) {
      const gpu::Posted posted = queue.post(at, request_of(at.index(), i), stored, ring);
      if (!check(at, posted.status)) return false;
      if (!is_pipelined && !check(at, queue.wait(at, posted.index))) return false;
    }
    return true;
  }
  template <class Context>
  KAON_DEVICE void end(Context& at, std::uint32_t queue, std::uint64_t begin) const {
    check(at, queues[queue].quiet(at));
    ns[queue] = at.nanoseconds() - begin;
  }
};

struct PostByThreads {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  Posts posts;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::uint64_t begin = at.nanoseconds();
    const auto own = static_cast<std::uint32_t>(at.index());
    if (posts.post_alone(at, posts.queues[own])) posts.end(at, own, begin);
  }
};

struct PostByWarps {
  static constexpr bool kIsCooperative = true, kHasWarps = true;
  Posts posts;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    typename Context::Warp warp(at);
    const std::uint64_t begin = at.nanoseconds();
    const auto own = static_cast<std::uint32_t>(at.index() / warp.threads().volume());
    if (posts.post_all(at, warp, posts.queues[own]) && warp.is_first()) posts.end(at, own, begin);
  }
};

struct PostByBlocks {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  Posts posts;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::uint64_t begin = at.nanoseconds();
    if (posts.post_all(at, at, posts.queues[at.block().x]) && at.is_first()) posts.end(at, at.block().x, begin);
  }
};

/// One queue for all blocks.
struct PostByGrid {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  Posts posts;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::uint64_t begin = at.nanoseconds();
    if (!posts.post_all(at, at, posts.queues[0])) return;
    const auto blocks = static_cast<std::uint32_t>(at.blocks().volume());
    if (at.is_first() && at.arrive(posts.arrived, blocks)) posts.end(at, 0, begin);
  }
};

/// Puts with a notice and waits for the answer, or the other way round.
struct PingPong {
  static constexpr bool kIsCooperative = true;
  gpu::SendQueue queue;
  gpu::WorkRequest request;  // a write with a flag
  gpu::FlagWord arrived;
  std::uint32_t count;
  bool begins;
  std::uint64_t* ns;  // there and back
  std::uint32_t* failures;
  template <class Context>
  KAON_DEVICE bool send(Context& at, std::uint32_t round) const {
    gpu::WorkRequest own = request;
    own.operand = round;
    return queue.post(at, own, gpu::StoredFields::offsets_and_operand, gpu::Ring::now).is_ok();
  }
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t round = 1; round <= count; ++round) {
      const std::uint64_t begin = at.nanoseconds();
      const bool is_right =
          begins ? send(at, round) && at.wait_for(arrived, round) : at.wait_for(arrived, round) && send(at, round);
      if (!is_right) return at.add_into(failures, 1U);
      if (begins) ns[round - 1] = at.nanoseconds() - begin;
    }
    if (queue.quiet(at) != gpu::RequestStatus::ok) at.add_into(failures, 1U);
  }
};

}  // namespace queue_bench

KAON_KERNEL(queue_bench::PostByThreads);
KAON_KERNEL(queue_bench::PostByWarps);
KAON_KERNEL(queue_bench::PostByBlocks);
KAON_KERNEL(queue_bench::PostByGrid);
KAON_KERNEL(queue_bench::PingPong);
