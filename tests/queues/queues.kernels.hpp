// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that post requests to queue pairs in the ways that there are, and check what came.
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/queues/send_queue.hpp"

namespace kaon::testing {

/// The work of kernels that post: each thread writes its own words of the source to the same place of the target.
struct PostPlan {
  static constexpr std::uint32_t kMostQueues = 8;
  gpu::SendQueue queues[kMostQueues];
  gpu::WorkRequest request;  // but for its offsets
  std::uint32_t rounds = 1;  // requests of each thread
  gpu::StoredFields stored = gpu::StoredFields::all;
  std::uint32_t* failures = nullptr;  // posts, and then the first status of a queue
  std::uint32_t* arrived = nullptr;

  KAON_DEVICE gpu::WorkRequest request_of(std::size_t thread, std::uint32_t round) const {
    gpu::WorkRequest own = request;
    own.local_offset = own.remote_offset = (thread * rounds + round) * own.bytes;
    own.operand = 1;
    return own;
  }
  template <class Context>
  KAON_DEVICE void note(Context& at, gpu::RequestStatus status) const {
    if (status == gpu::RequestStatus::ok) return;
    at.add_into(failures, 1U);
    at.fetch_or(failures + 1, static_cast<std::uint32_t>(status));
  }
};

/// A queue of its own for each thread of the grid.
struct PostByThreads {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  PostPlan plan;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const gpu::SendQueue& queue = plan.queues[at.index()];
    for (std::uint32_t round = 0; round < plan.rounds; ++round)
      plan.note(at, queue.post(at, plan.request_of(at.index(), round), plan.stored).status);
    plan.note(at, queue.quiet(at));
  }
};

/// A queue of its own for each warp of a block of two.
struct PostByWarps {
  static constexpr bool kIsCooperative = true, kHasWarps = true;
  PostPlan plan;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    typename Context::Warp warp(at);
    const auto lanes = warp.threads().volume();
    const gpu::SendQueue& queue = plan.queues[at.index() / lanes];
    for (std::uint32_t round = 0; round < plan.rounds; ++round)
      plan.note(at, queue.post_each(warp, plan.request_of(at.index(), round), plan.stored).status);
    if (warp.is_first()) plan.note(at, queue.quiet(at));
  }
};

/// A queue of its own for each block.
struct PostByBlocks {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  PostPlan plan;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const gpu::SendQueue& queue = plan.queues[at.block().x];
    for (std::uint32_t round = 0; round < plan.rounds; ++round)
      plan.note(at, queue.post_each(at, plan.request_of(at.index(), round), plan.stored).status);
    at.sync();
    if (at.is_first()) plan.note(at, queue.quiet(at));
  }
};

/// One queue for all threads of the grid. Every other round the threads of a block post together.
struct PostByGrid {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  PostPlan plan;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const gpu::SendQueue& queue = plan.queues[0];
    for (std::uint32_t round = 0; round < plan.rounds; ++round) {
      const gpu::WorkRequest own = plan.request_of(at.index(), round);
      const bool is_together = round % 2 == 1;
      plan.note(at,
                is_together ? queue.post_each(at, own, plan.stored).status : queue.post(at, own, plan.stored).status);
    }
    at.sync();
    const auto blocks = static_cast<std::uint32_t>(at.blocks().volume());
    if (at.is_first() && at.arrive(plan.arrived, blocks)) plan.note(at, queue.quiet(at));
  }
};

/// One thread sends words through a ring of slots, in which it overwrites what is done.
struct PostThroughRing {
  static constexpr bool kIsCooperative = true;
  PostPlan plan;
  std::uint64_t* source;
  std::uint32_t slots;  // twice the depth: a slot is written again when its last request is done
  std::uint32_t first;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t round = first; round < first + plan.rounds; ++round) {
      source[round % slots] = round;
      const gpu::Posted posted = plan.queues[0].post(at, plan.request_of(0, round % slots), plan.stored);
      if (!posted.is_ok()) return plan.note(at, posted.status);
    }
    plan.note(at, plan.queues[0].quiet(at));
  }
};

/// Writes the values that PostPlan's requests send.
struct FillWords {
  std::uint64_t* words;
  KAON_DEVICE static std::uint64_t value(std::size_t i) { return i * 7 + 3; }
  KAON_DEVICE void operator()(std::size_t i) const { words[i] = value(i); }
};
struct CountWrongWords {
  const std::uint64_t* words;
  std::size_t count;
  std::uint32_t* wrong;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    for (std::size_t i = at.index(); i < count; i += at.stride())
      if (words[i] != FillWords::value(i)) at.add_into(wrong, 1U);
  }
};

/// Puts words with a notice into the partner's memory and waits for the notice of the partner, round after round; the
/// one that begins sends first.
struct Converse {
  static constexpr bool kIsCooperative = true;
  gpu::SendQueue queue;
  gpu::WorkRequest request;  // a write with a flag
  std::uint64_t* out;
  const std::uint64_t* in;
  gpu::FlagWord arrived;
  std::uint32_t words, rounds, begins;
  std::uint32_t* failures;
  template <class Context>
  KAON_DEVICE bool send(Context& at, std::uint32_t round) const {
    for (std::uint32_t i = 0; i < words; ++i) out[i] = FillWords::value(i + round);
    gpu::WorkRequest own = request;
    own.operand = round;
    return queue.post(at, own, gpu::StoredFields::offsets_and_operand, gpu::Ring::now).is_ok();
  }
  template <class Context>
  KAON_DEVICE bool receive(Context& at, std::uint32_t round) const {
    bool is_right = at.wait_for(arrived, round);
    for (std::uint32_t i = 0; i < words; ++i) is_right = is_right && in[i] == FillWords::value(i + round);
    return is_right;
  }
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      const bool is_right = begins != 0 ? send(at, round) && receive(at, round) : receive(at, round) && send(at, round);
      if (!is_right) return at.add_into(failures, 1U);
    }
    if (queue.quiet(at) != gpu::RequestStatus::ok) at.add_into(failures, 1U);
  }
};

/// Posts some requests and waits for each; their statuses.
struct PostAndWait {
  static constexpr bool kIsCooperative = true;
  static constexpr std::uint32_t kMost = 4;
  gpu::SendQueue queue;
  gpu::WorkRequest requests[kMost];
  std::uint32_t count;
  std::uint32_t* statuses;
  bool waits = true;
  gpu::StoredFields stored = gpu::StoredFields::all;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) {
      const gpu::Posted posted = queue.post(at, requests[i], stored, waits ? gpu::Ring::now : gpu::Ring::by_policy);
      const gpu::RequestStatus status = posted.is_ok() && waits ? queue.wait(at, posted.index) : posted.status;
      statuses[i] = static_cast<std::uint32_t>(status);
    }
  }
};

}  // namespace kaon::testing

KAON_KERNEL(kaon::testing::PostByThreads);
KAON_KERNEL(kaon::testing::PostByWarps);
KAON_KERNEL(kaon::testing::PostByBlocks);
KAON_KERNEL(kaon::testing::PostByGrid);
KAON_KERNEL(kaon::testing::PostThroughRing);
KAON_KERNEL(kaon::testing::FillWords);
KAON_KERNEL(kaon::testing::CountWrongWords);
KAON_KERNEL(kaon::testing::Converse);
KAON_KERNEL(kaon::testing::PostAndWait);
