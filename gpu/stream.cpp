// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/stream.hpp"

#include <string>
#include <utility>

#include "kaon/gpu/flag_state.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

void refuse_null(FlagWord word, const char* use) {
  if (word.word == nullptr)
    throw UsageError("gpu::Stream::" + std::string(use) +
                     ": the word has no address: use one of a gpu::Buffer<std::uint32_t> or of gpu::open_segment()");
}

}  // namespace

// --- memory

StreamMemory::StreamMemory(Kind kind, std::size_t bytes, Stream& stream) : stream_(&stream.own_state()) {
  if (bytes == 0) return;
  Device& device = stream.device();
  if (kind == Kind::pinned) {
    block_ = &device.memory().take_pinned(bytes);  // the host writes there, and waits for no stream
    return;
  }
  block_ = &device.memory().take(bytes, stream_);
  device.order().wait(*stream_, block_->free_at);
}

StreamMemory::StreamMemory(OwnedPayload payload, Stream& stream) : stream_(&stream.own_state()) {
  stream.make_visible(*payload, true);
  block_ = &take_block(*payload, stream.device());
}

void throw_buffer_stays() {
  throw UsageError("a gpu::Buffer goes along with a chare that moves, and is not packed into bytes");
}

StreamMemory::~StreamMemory() {
  if (block_ == nullptr) return;
  if (this_pe_or_null() == nullptr)
    warn_outlived("gpu::Buffer");
  else
    this_device().memory().give_back(*block_, {stream_, stream_->all_given()});
}

void StreamMemory::give_to(PayloadRecord& record) {
  if (block_ == nullptr) return;
  // whoever gives it back may be another PE, which cannot let a stream of this one wait
  const Position landed = std::exchange(block_->landed_at, {});
  Position ready{stream_, stream_->all_given()};
  if (landed.stream != nullptr && landed.stream != stream_)
    ready = this_device().order().behind_both(ready, {landed.stream, landed.stream->all_given()});
  gpu::give_block(record, *std::exchange(block_, nullptr));
  record.stream = ready.stream;
  record.position = ready.count;
}

void StreamMemory::move_to(Stream& other) {
  if (stream_ == nullptr) return;
  other.wait({stream_, stream_->all_given()});
  stream_ = &other.own_state();
}

// --- streams

Stream::Stream(StreamPriority priority) : device_(this_device()), state_(device_.streams().take(priority)) {}
Stream::Stream(Device& device) : device_(device), state_(device.streams().take()) {}
Stream::~Stream() {
  if (this_pe_or_null() == nullptr)
    warn_outlived("gpu::Stream");
  else if (!is_shared_)
    device_.streams().give_back(state_);
}

StreamState& Stream::own_state() const {
  if (this_pe_or_null() != &device_.pe()) [[unlikely]]
    throw UsageError("a gpu::Stream of PE " + std::to_string(device_.pe().id()) +
                     " was used by another thread: each chare has streams of its own, and hands over payloads");
  return state_;
}

StreamState& Stream::begin_work() const {
  StreamState& own = own_state();
  device_.driver().make_current(device_.number());
  device_.held().launch(own);
  if (own.is_foreign) refuse_capture("the owner of an adopted stream has left");
  return own;
}

void Stream::refuse_emulation() const {
  if (is_emulated())
    throw UsageError(
        "stream.give(function): this work is for a real device, and the program runs on the emulation; give it a "
        "second "
        "function, which the host runs in its place");
}

// What is given to it then would become a part of the graph, and never be done here.
void Stream::refuse_capture(const char* who) const {
  if (device_.driver().is_capturing(state_.native))
    throw UsageError(std::string(who) +
                     " it capturing a graph: end the capture first, or capture on a stream that Kaon does not use");
}

Stream Stream::adopt(NativeStream native) {
  Device& device = this_device();
  if (device.driver().is_capturing(native))
    throw UsageError(
        "Stream::adopt(): the stream captures a graph, so that what it is given would become a part of that instead of "
        "being done: end the capture first, or adopt another stream");
  return Stream(device, device.streams().adopt(native), false);
}

Stream Stream::shared(std::size_t number) {
  Device& device = this_device();
  return Stream(device, device.streams().shared(number), true);
}

Grid Stream::grid_over(std::size_t count) const {
  return flat_grid(device_.driver().backend(), device_.card().description().processors, count);
}

void Stream::copy_bytes(void* to, std::size_t room, const void* from, std::size_t bytes) {
  if (bytes > room)
    throw UsageError("a copy of " + std::to_string(bytes) + " bytes does not fit into " + std::to_string(room));
  if (bytes == 0) return;
  StreamState& own = begin_own_work();
  device_.driver().copy(to, from, bytes, own.native);
  ++own.submitted;
}

void Stream::fill_bytes(void* memory, int byte, std::size_t bytes) {
  if (bytes == 0) return;
  StreamState& own = begin_own_work();
  device_.driver().fill(memory, byte, bytes, own.native);
  ++own.submitted;
}

// --- flags

void Stream::wait(const Flag& flag, std::uint32_t k) {
  flag.state().require_own_pe();
  StreamState& own = begin_work();
  device_.order().wait_flag(own, flag.word().word, k);
  flag.state().note_wait({&own, own.submitted});
}

void Stream::wait(FlagWord word, std::uint32_t k) {
  refuse_null(word, "wait()");
  device_.order().wait_flag(begin_work(), word.word, k);
}

void Stream::raise_to(FlagWord word, std::uint32_t k) {
  refuse_null(word, "raise_to()");
  device_.order().raise(begin_work(), {word.word, k});
}

void Stream::raise(const Flag& flag, std::uint32_t by) {
  flag.state().require_own_pe();
  StreamState& own = begin_work();
  device_.driver().write_flag(flag.word().word, flag.state().next_by_stream(by), own.native);
  ++own.submitted;
}

// --- payloads

Landing Stream::landing(const void* memory, std::size_t bytes) {
  const Event place = here();
  return {Landing::Mode::into, MemoryKind::device, const_cast<void*>(memory), bytes, place.stream, place.count};
}

void Stream::settle(PayloadRecord& record) {
  if (record.bytes == 0) return;
  StreamState& own = own_state();
  if (record.stream != &own) device_.order().wait(own, position_of(record));
  record.stream = &own;
  record.position = own.all_given();
  device_.order().mark_for_others(state_);
}

void Stream::make_visible(PayloadRecord& record, bool must_own) {
  own_state();
  if (record.kind == MemoryKind::host)
    throw UsageError("view(stream): this payload lies in the memory of the host; use view()");
  if (!record.is_here()) throw_not_here();
  DevicePayloads& payloads = payloads_of(device_);
  must_own |= record.is_viewed;  // what is used twice is nearer here
  if (record.stream != &state_) payloads.settle(record);
  payloads.bring_here(record, state_, must_own);
  device_.order().wait(state_, position_of(record));
  record.stream = &state_;
  record.position = state_.all_given();
  record.is_viewed = true;
}

}  // namespace kaon::gpu
