// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device_memory.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kaon/gpu/device/drain.hpp"
#include "kaon/gpu/device/held_launches.hpp"
#include "kaon/gpu/device/stream_order.hpp"
#include "kaon/gpu/device/stream_pool.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kPoisonedBytes = std::size_t{64} << 10;  // of a block, at its beginning: enough to be noticed

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

DeviceMemory::DeviceMemory(const DeviceMemoryContext& context)
    : context_(context), pool_(context.card.memory()), pinned_(context.card.pinned()) {}

Block& DeviceMemory::take(std::size_t bytes, const StreamState* user) {
  Block* block = pool_.take(bytes, user);
  if (block == nullptr) {
    wait_for(pool_.arena());
    block = pool_.take(bytes, user);
  }
  if (block == nullptr) pool_.throw_out_of_memory(bytes);
  return *block;
}

Block& DeviceMemory::take_pinned(std::size_t bytes) {
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
void DeviceMemory::wait_for(const Arena& arena) {
  constexpr double kMomentS = 1;
  context_.held.give_all();
  Driver& driver = context_.card.driver();
  const int device = context_.card.number();
  PositionsWait ending(driver, device), open_ended(driver, device);
  for (const Position& position : arena.awaited()) (position.is_open_ended() ? open_ended : ending).add(position);
  for (StreamState* stream : context_.streams.all())  // ours that keep memory from the driver
    if (stream->is_open_ended() && !stream->is_left()) open_ended.add({stream, stream->submitted});
  ending.finish(context_.pe.process().options().device_timeout_s);
  open_ended.finish(kMomentS);
}

// --- the way back

void DeviceMemory::give_back(Block& block, Position last) noexcept {
  if (block.receives > 0 && !context_.pe.is_stopped())
    return context_.pe.fail(std::make_exception_ptr(
        UsageError("a buffer of " + std::to_string(block.bytes) +
                   " bytes was freed while a payload was being received into it: keep a landing's buffer until the "
                   "entry runs")));
  if (last.stream != nullptr && last.stream->owner == &context_.owner && last.stream->is_holding()) {
    block.next = std::exchange(last.stream->held->freed, &block);  // kernels that are still to be launched may use it
    return;
  }
  try {
    last = end_uses(block, last);
  } catch (...) {  // a fault of the device
    context_.pe.fail(std::current_exception());
  }
  Arena& arena = block.arena();
  if (&arena == &pool_.arena()) return pool_.give_back(block, last);
  if (&arena == &pinned_.arena()) return pinned_.give_back(block, last);
  block.holder.store(nullptr, std::memory_order_relaxed);
  block.free_at = last;
  arena.give_back(block);  // of another device
}

// Where all that may use the block is done.
Position DeviceMemory::end_uses(Block& block, Position last) {
  if (const Position landed = std::exchange(block.landed_at, {}); landed.stream != nullptr) {
    if (landed.stream->owner == &context_.owner) context_.held.launch(*landed.stream);  // it may be read there
    last = context_.order.behind_both(landed, last);
  }
  if (last.stream == nullptr) return last;
  if (last.stream->is_foreign)  // it may end before anybody asks for the memory, or has ended
    last = context_.order.follow(last.stream->owner == &context_.owner ? Position{last.stream, last.stream->all_given()}
                                                                       : last);
  if (last.stream->owner == &context_.owner) last = poison(block, *last.stream);
  if (&block.arena() == &pinned_.arena() && !context_.pe.is_stopped())
    context_.watcher.mark(last);  // it is used again when that is known
  return last;
}

// Behind all that was given to the stream, which may use the block.
Position DeviceMemory::poison(Block& block, StreamState& stream) {
  if (context_.card.is_emulated()) {
    context_.card.driver().poison(block.data, std::min(block.bytes, kPoisonedBytes), stream.native);
    ++stream.submitted;
  }
  return {&stream, stream.all_given()};
}

// Several may land in one buffer, on different streams: the latest waits for those before it.
void DeviceMemory::note_landing(Block& block, Position landed) noexcept {
  if (landed.is_known_reached()) return;
  try {
    if (landed.stream != block.landed_at.stream && !block.landed_at.is_known_reached())
      landed = context_.order.behind_both({landed.stream, landed.stream->all_given()}, block.landed_at);
  } catch (...) {  // a fault of the device
    context_.pe.fail(std::current_exception());
  }
  block.landed_at = landed;
}

// --- back to the driver

void DeviceMemory::trim() {
  constexpr std::chrono::seconds kPeriod{1};
  const auto now = std::chrono::steady_clock::now();
  if (now - trimmed_at_ < kPeriod || !context_.watcher.is_empty()) return;
  trimmed_at_ = now;
  trim_now();
}

void DeviceMemory::trim_now() {
  for (Memory* memory : {&pool_, &pinned_}) {
    memory->flush();
    memory->arena().trim_unneeded();
  }
}

}  // namespace kaon::gpu
