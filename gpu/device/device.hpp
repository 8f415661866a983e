// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "kaon/gpu/device/completions.hpp"
#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/memory.hpp"
#include "kaon/gpu/engines/shared_staging.hpp"
#include "kaon/gpu/engines/staging.hpp"
#include "kaon/gpu/device/drain.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

class Platform;

/// A device as one PE uses it: its memory, its streams, what it waits for and the payloads on their way. Belongs to the
/// PE; called by its thread alone.
class Device final : public Accelerator {
 public:
  Device(Platform& platform, Pe& pe, int number);
  ~Device() override;

  Platform& platform() { return platform_; }
  Driver& driver() { return driver_; }
  Pe& pe() { return pe_; }
  /// Runs what was to be run at the end of a transfer.
  void complete(Work& done) { done.run(done, pe_); }
  int number() const { return number_; }
  Card& card() { return card_; }
  Memory& pinned() { return pinned_; }
  RegionView& regions() { return regions_; }
  Completions& completions() { return completions_; }
  SharedStaging& staging() { return staging_; }

  // --- streams
  StreamState& take_stream(StreamPriority priority = StreamPriority::normal);
  StreamState& shared_stream(std::size_t number);
  /// A stream that somebody else made, for this device; the same state for the same stream.
  StreamState& adopt_stream(NativeStream native);
  /// What was given to it still runs.
  void give_back(StreamState& stream);
  /// Lets a stream wait for a position of another. Costs nothing when it is reached or its own.
  void wait(StreamState& stream, Position position);
  /// Lets other PEs of the process wait for what the stream was given by now, whatever comes behind it.
  void mark_for_others(StreamState& stream);

  // --- buffers
  /// As Memory::take(). Waits for the device when there is no other memory left; throws OutOfMemory when there is none
  /// then either.
  Block& take_memory(std::size_t bytes, const StreamState* user);
  Block& take_pinned(std::size_t bytes);
  [[noreturn]] void throw_out_of_memory(std::size_t bytes) const { memory_.throw_out_of_memory(bytes); }
  /// Makes a block the memory of a record, to which it comes back when the record ends.
  void give_block(PayloadRecord& record, Block& block);
  Position last_use(const PayloadRecord& record) const;
  /// Gives a block home. When its last use was on a stream of this device, all that was given to that stream counts.
  void return_block(Block& block, Position last_use) noexcept;

  /// Before a payload that was viewed is used elsewhere or ends: its position becomes one behind all that was given to
  /// the stream of the view by now.
  void settle(PayloadRecord& record);
  /// As settle(), of a payload that ends: a fault of the device is the PE's.
  void settle_last(PayloadRecord& record) noexcept;
  /// A payload was given to the network as direct and is with its receiver.
  void has_left(PeId to, std::size_t bytes, double seconds);
  /// All of a payload is in its memory here.
  void has_arrived(PayloadRecord& record);
  /// How a payload in this memory will go to another process.
  void choose_route(PayloadRecord& record);
  /// Before a payload is used on a stream here: takes over what lies on another device, and counts it once.
  void bring_here(PayloadRecord& record, StreamState& stream);

  // --- Accelerator
  void land(PayloadRecord& record, const Landing& landing) override;
  void require_host(const Landing& landing) override;
  void copy(PayloadRecord& record, const Landing& landing) override;
  void prepare(PayloadRecord& record) override;
  bool send(PeId to, std::uint32_t counter, PayloadRecord& record, Work& done) override;
  bool receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) override;
  bool progress() override;
  bool arm() override;
  bool is_awaited() const override { return moving_ > 0 || !completions_.is_empty(); }
  bool is_moving() const override { return moving_ > 0 || !is_over(); }
  void tell_when_free(PayloadRecord& record) noexcept override;
  void drain() noexcept override;

 private:
  friend class DirectTransfer;
  friend class SharedReceive;
  friend class SharedSend;
  friend class StagedTransfer;
  /// Where a landing lies; `block` is nullptr outside this PE's own memory.
  struct Place {
    Region& region;
    Block* block;
  };
  Place check_place(const Landing& landing);
  Position end_uses(Block& block, Position last);
  Position poison(Block& block, StreamState& stream);
  void hold_landing(PayloadRecord& record, const Place& place);
  void wait_for_all(StreamState& stream, StreamState& other);
  Region* region_of(const PayloadRecord& record);
  PayloadMemory network_memory(const PayloadRecord& record);
  StreamState& order_stream();
  StreamState& staging_stream(StagedTransfer::Way way);
  void explain_staging(const PayloadRecord& record);
  void reach(int peer);
  void wait_for(const Arena& arena);
  void trim();
  std::unique_ptr<Drain> begin_drain();
  bool is_over() const;

  Platform& platform_;
  Driver& driver_;
  Pe& pe_;
  Card& card_;
  int number_;
  RegionView regions_;
  Memory memory_;
  Memory pinned_;
  Completions completions_;
  SharedStaging staging_;
  std::vector<StreamState*> streams_;  // the card's
  std::array<std::vector<StreamState*>, kStreamPriorities> free_streams_;
  std::vector<StreamState*> shared_;
  StreamState* order_stream_ = nullptr;  // does nothing but wait for others
  StreamState* staging_out_ = nullptr;   // made when something is staged
  StreamState* staging_in_ = nullptr;
  enum class Reach : std::uint8_t { unknown, mapped, through_host };
  std::vector<Reach> reaches_;    // by PE
  std::vector<bool> peers_;       // devices that copies of this one reach
  std::size_t moving_ = 0;        // transfers that have not ended
  std::unique_ptr<Drain> drain_;  // when the run is over
  std::chrono::steady_clock::time_point trimmed_at_{};
};

/// The device of this PE. Throws UsageError on a thread that is none, or in a program that uses no devices.
Device& this_device();

/// Where the memory of a payload may be used.
inline Position position_of(const PayloadRecord& record) {
  return {static_cast<StreamState*>(record.stream), record.position};
}

}  // namespace kaon::gpu
