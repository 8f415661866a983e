// SPDX-License-Identifier: Apache-2.0
// How a PE comes to memory of its device, and gives the driver back what nobody needs.
#include <chrono>
#include <deque>
#include <limits>
#include <thread>
#include <vector>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

/// Positions of streams, waited for within a time.
class PositionsWait {
 public:
  PositionsWait(Driver& driver, int device) : driver_(driver), device_(device) {}
  void add(Position position) {
    auto& [awaited, drain] = waits_.emplace_back(position, std::make_unique<Drain>(driver_, device_, kEver));
    drain->add(awaited.stream->native, awaited.stream->device);
  }
  void finish(double seconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!is_done() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }

 private:
  static constexpr double kEver = std::numeric_limits<double>::infinity();
  bool is_done() {
    std::erase_if(waits_, [](const auto& wait) {
      const auto& [position, drain] = wait;
      if (!drain->is_done()) return false;
      position.stream->note_reached(position.count);
      return true;
    });
    return waits_.empty();
  }

  Driver& driver_;
  int device_;
  std::vector<std::pair<Position, std::unique_ptr<Drain>>> waits_;
};

}  // namespace

Block& Device::take_memory(std::size_t bytes, const StreamState* user) {
  Block* block = memory_.take(bytes, user);
  if (block == nullptr) {
    wait_for(memory_.arena());
    block = memory_.take(bytes, user);
  }
  if (block == nullptr) memory_.throw_out_of_memory(bytes);
  return *block;
}

Block& Device::take_pinned(std::size_t bytes) {
  Block* block = pinned_.take_idle(bytes);
  if (block == nullptr) {
    wait_for(pinned_.arena());
    block = pinned_.take_idle(bytes);
  }
  if (block == nullptr) pinned_.throw_out_of_memory(bytes);
  return *block;
}

// The only wait for the device here, for what streams still use of free memory. Open-ended work has a moment: a
// resident kernel without tasks ends soon, but one whose task waits for this PE would never.
void Device::wait_for(const Arena& arena) {
  constexpr double kMomentS = 1;
  give_all_held();
  PositionsWait ending(driver_, number_), open_ended(driver_, number_);
  for (const Position& position : arena.awaited()) (position.is_open_ended() ? open_ended : ending).add(position);
  for (StreamState* stream : streams_)  // ours that keep memory from the driver
    if (stream->is_open_ended() && !stream->is_left()) open_ended.add({stream, stream->submitted});
  ending.finish(pe_.process().options().device_timeout_s);
  open_ended.finish(kMomentS);
}

void Device::begin_open_ended(StreamState& stream) { card_.free_gate().announce(stream); }

void Device::trim() {
  constexpr std::chrono::seconds kPeriod{1};
  const auto now = std::chrono::steady_clock::now();
  if (now - trimmed_at_ < kPeriod || !stream_watcher_.is_empty()) return;
  trimmed_at_ = now;
  trim_now();
}

void Device::trim_now() {
  for (Memory* memory : {&memory_, &pinned_}) {
    memory->flush();
    memory->arena().trim_unneeded();
  }
}

}  // namespace kaon::gpu
