// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/queues/adapter_queue.hpp"
#include "kaon/gpu/queues/request_places.hpp"
#include "kaon/gpu/queues/send_queue.hpp"

namespace kaon::gpu {

/// A queue that the host gives to a block, in pinned memory. The host changes `queue` while the block has not seen the
/// `opening` that follows.
struct BlockSlot {
  AdapterQueue queue;
  std::uint32_t opening = 0;  // of the slot, from 1; stored last (release)
  std::uint32_t is_closing = 0;
  std::uint32_t is_partner_gone = 0;
};

/// The reports of a block about a slot, in pinned memory.
struct BlockReport {
  WorkRequest request;  // the first that had an error
  std::uint32_t index = 0;
  std::uint32_t status = 0;  // a RequestStatus; stored last (release)
  std::uint32_t closed = 0;  // the last opening that has ended (release)
};

/// The words of the host and the blocks, in pinned memory. `version` is stored (release) behind each change of slots
/// and segments; a block stores (release) the one that it has seen into its own word.
struct BlockControl {
  std::uint32_t version = 0;
  std::uint32_t slots = 0;     // that were ever opened
  std::uint32_t segments = 0;  // that were ever added
  std::uint32_t stop = 0;      // not 0: blocks end when their queues are empty
};

/// A block's own view of a slot, in the memory of the device.
struct BlockQueue {
  AdapterQueue queue;
  QueueProgress progress;
  std::uint32_t opening = 0;
  std::uint32_t is_open = 0, is_closing = 0, is_partner_gone = 0;
};

/// Serves the requests of queue pairs by blocks that run on, for the emulated adapter. Block i serves the slots i,
/// i + blocks, ... All threads of a block copy; its first thread does all else.
struct BlockAdapterKernel {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = 256;
  static constexpr std::uint32_t kBatch = 64;  // requests of a queue before the next queue has its turn

  const BlockControl* control = nullptr;
  const BlockSlot* slots = nullptr;
  BlockReport* reports = nullptr;
  const AdapterSegment* shared_segments = nullptr;  // of the host, pinned
  std::uint32_t* seen = nullptr;                    // of each block: the version; pinned
  BlockQueue* queues = nullptr;                     // of this device, by slot
  AdapterSegment* segments = nullptr;               // of this device: most_segments for each block
  std::uint32_t most_segments = 0;

  /// The next thing to do: requests of `slot` before `up_to`, if it has one.
  struct Turn {
    std::uint32_t slot, up_to;
    bool is_end;
  };
  /// The first thread's own state.
  struct State {
    std::uint32_t version, slots, segments, next_slot, turns;
  };
  struct Shared {
    State state;
    Turn turn;
    KAON_DEVICE RequestPlaces* places() { return reinterpret_cast<RequestPlaces*>(place_bytes); }
    alignas(RequestPlaces) unsigned char place_bytes[sizeof(RequestPlaces)];
  };

  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const;

 private:
  struct Look {
    enum Kind : std::uint32_t { nothing, requests, closing, change, end } kind;
    std::uint32_t slot, doorbell;
  };
  template <class Context>
  KAON_DEVICE Turn next_turn(Context& at, State& state) const;
  template <class Context>
  KAON_DEVICE bool look(Context& at, const State& state, unsigned looks, Look& found) const;
  template <class Context>
  KAON_DEVICE bool look_at_slot(Context& at, std::uint32_t slot, Look& found) const;
  template <class Context>
  KAON_DEVICE void take_changes(Context& at, State& state) const;
  template <class Context>
  KAON_DEVICE void take_slot(Context& at, std::uint32_t slot) const;
  template <class Context>
  KAON_DEVICE void serve(Context& at, Shared& shared, const Turn& turn) const;
  template <class Context>
  KAON_DEVICE RequestPlaces resolve(Context& at, State& state, BlockQueue& own, const WorkRequest& request) const;
  template <class Context>
  KAON_DEVICE void finish(Context& at, BlockQueue& own, std::uint32_t slot, std::uint32_t position,
                          const RequestPlaces& places, bool is_last) const;
  template <class Context>
  KAON_DEVICE AdapterSegment* own_segments(Context& at) const {
    return segments + at.block().x * most_segments;
  }
};

/// Stores the words of a request behind its data, in the order of a stream, for an adapter of the host.
struct RequestWordsKernel {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = 32;
  RequestPlaces places;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// Rings the doorbell for what kernels have posted and not rung for, when the queue is closed.
struct QueueFlushKernel {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = 32;
  SendQueue queue;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

}  // namespace kaon::gpu
