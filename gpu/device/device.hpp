// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/carrier.hpp"
#include "kaon/gpu/device/device_load_meter.hpp"
#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/device/drain.hpp"
#include "kaon/gpu/device/holding_time.hpp"
#include "kaon/gpu/device/memory.hpp"
#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

using LaunchCause = runtime::TransferReport::LaunchCause;

/// A device as one PE uses it: its memory, its streams and what it waits for. Called by the PE's thread alone.
class Device {
 public:
  Device(Card& card, Pe& pe);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  Card& card() { return card_; }
  Driver& driver() { return driver_; }
  Pe& pe() { return pe_; }
  int number() const { return number_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  RegionView& regions() { return regions_; }
  StreamWatcher& stream_watcher() { return stream_watcher_; }
  const StreamWatcher& stream_watcher() const { return stream_watcher_; }
  DeviceLoadMeter& load_meter() { return load_meter_; }

  // --- streams
  /// One that waits for no flag any more, whoever had it before.
  StreamState& take_stream(StreamPriority priority = StreamPriority::normal);
  /// One for work of all chares, which is never given back. It must not wait for what may wait for a flag: what is
  /// ordered behind that takes a FollowerStream, or is given when the host has seen that it is reached.
  StreamState& take_runtime_stream(StreamPriority priority = StreamPriority::normal);
  StreamState& shared_stream(std::size_t number);
  /// A stream that somebody else made, for this device; the same state for the same stream.
  StreamState& adopt_stream(NativeStream native);
  /// What was given to it still runs.
  void give_back(StreamState& stream);
  /// Lets a stream wait for a position of another. Costs nothing when it is reached or its own.
  void wait(StreamState& stream, Position position);
  /// Lets it wait until a flag is raised, which may never be.
  void wait_flag(StreamState& stream, const std::uint32_t* word, std::uint32_t k);
  /// A position on a stream of this device: behind `position`, or (of a stream of another PE) behind all that its
  /// stream was given by now.
  Position follow(Position position);
  Position follow_all(StreamState& stream);
  /// A position behind both, on the stream of the first, unless that would have to wait for a flag with the other one.
  Position behind_both(Position first, Position other);
  /// Something was copied into the block, or will be at this position: the block is free behind that only.
  void note_landing(Block& block, Position landed) noexcept;
  /// Lets other PEs of the process wait for what the stream was given by now, whatever comes behind it.
  void mark_for_others(StreamState& stream);

  /// The stream's next piece of work may wait for the host, a peer or another device, and for what this process does
  /// next: see FreeGate.
  void begin_open_ended(StreamState& stream);

  // --- what is held back, so that more can join it
  /// From now on, what the stream is given counts as given, but its device gets it later.
  void hold(StreamState& stream, HeldLaunch& launch);
  /// Lets a stream raise a flag behind all that it was given, or will be given of what it holds back.
  void raise(StreamState& stream, RaisedFlag flag);
  /// Lets the device have what the stream holds back.
  void launch_held(StreamState& stream, LaunchCause cause = LaunchCause::needed) {
    if (stream.is_holding()) [[unlikely]]
      launch_now(stream, cause);
  }
  /// The same of all its streams, but those whose last launch of what they held back is not over: what they hold would
  /// wait behind that, and more can join it meanwhile. `more_may_come`: nor those that have not held it for long.
  void give_held(bool more_may_come);
  /// The same of all streams.
  void give_all_held();

  // --- memory
  /// As Memory::take(). Waits for the device when there is no other memory left, but only a moment for open-ended work,
  /// which may wait for this PE; throws OutOfMemory when there is none then either.
  Block& take_memory(std::size_t bytes, const StreamState* user);
  Block& take_pinned(std::size_t bytes);
  /// Gives a block home. When its last use was on a stream of this device, all that was given to that stream counts.
  void return_block(Block& block, Position last_use) noexcept;
  /// Lets copies of this device reach the memory of another one of the process.
  void reach(int peer);
  /// Gives memory back to the driver that nobody has needed for a while; which may wait for the device, so not while
  /// anything of it is awaited, nor while a stream of the process has open-ended work.
  void trim();
  /// The same however short the while was.
  void trim_now();

  // --- what chares of the PE share
  /// One of each type, from the first that asks for it to the last that has it.
  template <class T, class... Arguments>
  std::shared_ptr<T> shared(const Arguments&... arguments) {
    std::weak_ptr<void>& known = shared_objects_[typeid(T)];
    auto object = std::static_pointer_cast<T>(known.lock());
    if (object == nullptr) known = object = std::make_shared<T>(arguments...);
    return object;
  }

  // --- the turns of the PE
  /// Something else on the device that the PE looks at in its turns, and keeps until it is over.
  void add_watch(std::shared_ptr<DeviceWatch> watch) { watches_.push_back(std::move(watch)); }
  /// Of those that can, the first that is there; nullptr: there is none.
  Carrier* carrier() const { return carriers_.empty() ? nullptr : carriers_.front(); }
  void add_carrier(Carrier& carrier) { carriers_.push_back(&carrier); }
  void remove_carrier(const Carrier& carrier) noexcept { std::erase(carriers_, &carrier); }
  /// Whether one of them waits for what comes within microseconds.
  bool is_watching() const;
  bool are_counts_fresh(std::uint32_t wave);
  /// Looks at what is awaited; in a run that has ended, also at the end of all that the device was given.
  bool look();
  /// Whether nothing of the run is left, when it has ended.
  bool is_over() const;
  /// Waits for all that the device was given. What still runs must not find its memory gone.
  void drain() noexcept;

 private:
  void launch_now(StreamState& stream, LaunchCause cause = LaunchCause::needed);
  Position end_uses(Block& block, Position last);
  Position poison(Block& block, StreamState& stream);
  StreamState& order_stream();
  StreamState* take_free(StreamPriority priority);
  void wait_for(const Arena& arena);
  std::unique_ptr<Drain> begin_drain();
  bool has_resident() const {
    return std::any_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->is_running(); });
  }
  bool look_at_watches();
  bool look_at_streams();

  Card& card_;
  Driver& driver_;
  Pe& pe_;
  int number_;
  RegionView regions_;
  Memory memory_;
  Memory pinned_;
  StreamWatcher stream_watcher_;
  std::vector<StreamState*> streams_;  // the card's
  std::array<std::vector<StreamState*>, kStreamPriorities> free_streams_;
  struct WaitingStream {  // that was let go while it may wait for a flag
    StreamState* stream;
    StreamWatcher::OwnedEvent behind_wait;
  };
  std::vector<WaitingStream> waiting_streams_;
  std::vector<StreamState*> shared_;
  StreamState* order_stream_ = nullptr;  // does nothing but wait for others
  std::vector<StreamState*> holding_;
  HoldingTime holding_time_;
  std::vector<bool> peers_;  // devices that copies of this one reach
  std::vector<std::shared_ptr<DeviceWatch>> watches_;
  std::vector<Carrier*> carriers_;
  std::map<std::type_index, std::weak_ptr<void>> shared_objects_;
  DeviceLoadMeter load_meter_;
  std::unique_ptr<Drain> drain_;  // when the run is over
  std::chrono::steady_clock::time_point trimmed_at_{};
};

/// Where the memory of a payload may be used.
inline Position position_of(const PayloadRecord& record) {
  return {static_cast<StreamState*>(record.stream), record.position};
}

/// The region that holds a payload's memory; nullptr: none that is known. Registered memory is looked for anew: the
/// registration may have ended.
inline Region* region_of(Device& device, const PayloadRecord& record) {
  return record.region != nullptr ? static_cast<Region*>(record.region) : device.regions().find(record.data);
}

}  // namespace kaon::gpu
