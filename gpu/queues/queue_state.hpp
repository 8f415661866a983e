// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/flag.hpp"
#include "kaon/gpu/queues/adapter_engine.hpp"
#include "kaon/gpu/queues/send_queue.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The form of a queue pair.
struct QueuePairOptions {
  std::uint32_t depth = 1024;    // requests; a power of two
  std::uint32_t ring_every = 1;  // requests behind which the doorbell rings; SendQueue::kAtFull: at a full queue
  bool is_shared = true;         // by several threads; false: one thread at a time posts and polls
  bool keeps_errors = false;     // error() tells them; else a request with an error ends the run
};

/// The memory and the state of a queue pair. Its adapter keeps it until it is closed, also behind the QueuePair.
class QueueState {
 public:
  /// `memory`: of requests, completions and the doorbell. Throws UsageError for a depth that is no power of two.
  QueueState(Device& device, StreamMemory::Kind memory, const QueuePairOptions& options, std::uint32_t number);
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  const QueuePairOptions& options() const { return options_; }
  std::uint32_t number() const { return queue_.number; }
  const SendQueue& queue() const { return queue_; }
  AdapterQueue for_adapter() const;
  std::size_t device_bytes() const;
  std::size_t pinned_bytes() const { return is_pinned_ ? ring_bytes() : 0; }
  Stream& stream() { return stream_; }

  /// The place of the word that tells the partner of this end.
  const SharedFlagPlace& closed_place() const { return closed_place_; }
  void set_partner(std::uint32_t* closed) { partner_closed_ = closed; }
  bool is_connected() const { return partner_closed_ != nullptr; }
  const std::string& error() const { return error_; }
  void set_error(std::string text) { error_ = std::move(text); }

  /// Stores the request into all slots, in the order of the state's stream.
  void prefill(const WorkRequest& request);
  /// Rings for what was posted. From then on look() leads to the end.
  void begin_close();
  /// True when look() leads to another stage.
  bool is_changing() const { return stage_ != Stage::open; }
  /// True when the adapter serves it, or has served it.
  bool was_opened() const { return stage_ != Stage::opening; }
  bool is_closed() const { return stage_ == Stage::closed; }
  /// Raised by 1 when all requests are done and the adapter has let go.
  const Flag& closed() const { return closed_; }
  /// In the PE's turns. True: something has happened.
  bool look(AdapterEngine& engine);

 private:
  enum class Stage : std::uint8_t { opening, open, flushing, closing, closed };
  std::size_t ring_bytes() const;
  std::byte* place_rings();
  bool has_reached(StreamWatcher::OwnedEvent& event);

  const QueuePairOptions options_;
  const bool is_pinned_;
  Device& device_;
  Stream stream_;
  Buffer<std::byte> device_rings_;  // requests, completions, doorbell: here or there
  Pinned<std::byte> pinned_rings_;
  Buffer<std::uint32_t> words_;
  Flag closed_;
  SharedFlagPlace closed_place_;
  std::uint32_t* own_closed_ = nullptr;
  std::uint32_t* partner_closed_ = nullptr;
  SendQueue queue_;
  std::string error_;
  StreamWatcher::OwnedEvent behind_fill_, behind_flush_;
  Stage stage_ = Stage::opening;
  bool has_refused_ = false;
};

}  // namespace kaon::gpu
