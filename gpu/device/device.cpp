// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

constexpr std::size_t kPoisonedBytes = std::size_t{64} << 10;  // of a block, at its beginning: enough to be noticed

Device::Device(Card& card, Pe& pe)
    : card_(card),
      driver_(card.driver()),
      pe_(pe),
      number_(card.number()),
      regions_(card.regions()),
      memory_(card.memory()),
      pinned_(card.pinned()),
      stream_watcher_(driver_, *this, number_, pe),
      load_meter_(driver_, number_, pe, memory_) {}

Device::~Device() {
  drain();
  {
    const CurrentPe current(pe_);
    watches_.clear();  // what they have goes back in the order of streams
  }
  drain();
  load_meter_.time_turns(false);
  for (StreamState* stream : streams_) {
    stream->marks.clear(driver_);
    if (!stream->is_foreign) driver_.destroy(stream->native);
  }
}

// A kernel that never ends would keep the process for ever: the vendor's library, which waits for it before it gives
// memory back.
void Device::drain() noexcept {
  const CurrentPe current(pe_);
  try {
    const std::unique_ptr<Drain> drain = begin_drain();
    while (!drain->is_done() || (has_resident() && !drain->is_late())) {  // one of another PE, perhaps
      look_at_watches();                                                  // a kernel may wait until it is heard
      std::this_thread::yield();
    }
  } catch (const DeviceHangs& error) {
    std::fprintf(stderr, "kaon: %s\n", error.what());
    std::fflush(nullptr);
    _exit(exit_code(error));
  } catch (...) {  // a fault of the device: reported where it was met first
  }
}

std::unique_ptr<Drain> Device::begin_drain() {
  give_all_held();
  for (const auto& watch : watches_) watch->stop();
  auto drain = std::make_unique<Drain>(driver_, number_, pe_.process().options().device_timeout_s);
  for (std::size_t i = 0; i < streams_.size(); ++i)  // by index: follow() may add one
    if (StreamState* stream = streams_[i]; stream->is_foreign) follow({stream, stream->submitted});  // it may be gone
  for (const StreamState* stream : streams_)
    if (!stream->is_foreign) drain->add(stream->native);
  for (NativeStream wake : stream_watcher_.wakes()) drain->add(wake);  // last: they wait for the others
  return drain;
}

bool Device::are_counts_fresh(std::uint32_t wave) {
  bool are = true;
  for (const auto& watch : watches_) are = watch->are_counts_fresh(wave) && are;
  return are;
}

bool Device::is_over() const {
  return !pe_.is_stopped() || (drain_ != nullptr && drain_->has_ended() && !has_resident());
}

// --- streams

StreamState& Device::take_stream(StreamPriority priority) {
  if (StreamState* const free = take_free(priority)) return *free;
  StreamState& stream = *streams_.emplace_back(&card_.add_stream());
  stream.owner = this;
  stream.native = driver_.make_stream(number_, priority);
  stream.device = number_;
  stream.priority = priority;
  return stream;
}

StreamState& Device::adopt_stream(NativeStream native) {
  const auto known = std::find_if(streams_.begin(), streams_.end(), [&](const StreamState* each) {
    return each->is_foreign && each->native == native && (!each->is_left() || each->has_reached(each->submitted));
  });
  if (known != streams_.end()) {
    ++(*known)->adopters;
    return **known;
  }
  StreamState& stream = *streams_.emplace_back(&card_.add_stream());
  stream.owner = this;
  stream.native = native;
  stream.device = number_;
  stream.is_foreign = true;
  stream.adopters = 1;
  stream.word = nullptr;  // it may end while a word of it is still to be written
  return stream;
}

void Device::reach(int peer) {
  const auto place = static_cast<std::size_t>(peer);
  if (peer == number_ || (place < peers_.size() && peers_[place])) return;
  if (peers_.size() <= place) peers_.resize(place + 1);
  peers_[place] = true;
  driver_.enable_peer(number_, peer);
}

StreamState& Device::shared_stream(std::size_t number) {
  while (shared_.size() <= number) shared_.push_back(&take_stream());
  return *shared_[number];
}

StreamState& Device::order_stream() {
  if (order_stream_ == nullptr) order_stream_ = &take_runtime_stream();
  return *order_stream_;
}

// --- the way back of memory

void Device::return_block(Block& block, Position last) noexcept {
  if (block.receives > 0 && !pe_.is_stopped())
    return pe_.fail(std::make_exception_ptr(
        UsageError("a buffer of " + std::to_string(block.bytes) +
                   " bytes was freed while a payload was being received into it: keep a landing's buffer until the "
                   "entry runs")));
  if (last.stream != nullptr && last.stream->owner == this && last.stream->is_holding()) {
    block.next = std::exchange(last.stream->held->freed, &block);  // kernels that are still to be launched may use it
    return;
  }
  try {
    last = end_uses(block, last);
  } catch (...) {  // a fault of the device
    pe_.fail(std::current_exception());
  }
  Arena& arena = block.arena();
  if (&arena == &memory_.arena()) return memory_.give_back(block, last);
  if (&arena == &pinned_.arena()) return pinned_.give_back(block, last);
  block.holder.store(nullptr, std::memory_order_relaxed);
  block.free_at = last;
  arena.give_back(block);  // of another device
}

// Where all that may use the block is done.
Position Device::end_uses(Block& block, Position last) {
  if (const Position landed = std::exchange(block.landed_at, {}); landed.stream != nullptr) {
    if (landed.stream->owner == this && landed.stream->is_holding())
      launch_now(*landed.stream);  // it may be read there
    last = behind_both(landed, last);
  }
  if (last.stream == nullptr) return last;
  if (last.stream->is_foreign)  // it may end before anybody asks for the memory, or has ended
    last = follow(last.stream->owner == this ? Position{last.stream, last.stream->all_given()} : last);
  if (last.stream->owner == this) last = poison(block, *last.stream);
  if (&block.arena() == &pinned_.arena() && !pe_.is_stopped())
    stream_watcher_.mark(last);  // it is used again when that is known
  return last;
}

// Behind all that was given to the stream, which may use the block.
Position Device::poison(Block& block, StreamState& stream) {
  if (card_.is_emulated()) {
    driver_.poison(block.data, std::min(block.bytes, kPoisonedBytes), stream.native);
    ++stream.submitted;
  }
  return {&stream, stream.all_given()};
}

// --- the turns of the PE

// By index: what one of them does may add another.
bool Device::look_at_watches() {
  bool has_happened = false;
  for (std::size_t i = 0; i < watches_.size(); ++i) has_happened |= watches_[i]->look();
  std::erase_if(watches_, [](const auto& watch) { return watch->is_over(); });
  return has_happened;
}

bool Device::is_watching() const {
  return std::any_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->is_busy(); });
}

bool Device::look_at_streams() {
  try {
    return stream_watcher_.look();
  } catch (const GpuError& error) {
    for (const auto& watch : watches_) watch->name_fault(error);
    throw;
  }
}

bool Device::look() {
  driver_.make_current(number_);  // libraries of the program may have changed it
  bool has_reached = look_at_streams();
  if (!watches_.empty()) has_reached |= look_at_watches();
  if (pe_.is_stopped()) [[unlikely]] {
    if (drain_ == nullptr) drain_ = begin_drain();
    drain_->is_done();
  }
  return has_reached;
}

}  // namespace kaon::gpu
