// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/devices/device_copy.hpp"

#include <algorithm>
#include <optional>

#include "kaon/ampi_shim/devices/turn_wait.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::ampi {

DeviceCopy::DeviceCopy(ProgramDevice& program, gpu::Stream& stream, const ProgramData& to, const ProgramData& from,
                       std::size_t bytes)
    : program_(program), stream_(stream), to_(to), bytes_(bytes) {
  const bool is_packed = from.is_run();
  const std::byte* const source = is_packed ? from.run() : packed_source(from);
  if (to.is_run())
    copy_on_stream(stream_, to.run(), source, bytes_);
  else
    unpack_source(source, from.is_on_device);
  end_ = stream_.here();
}

const std::byte* DeviceCopy::packed_source(const ProgramData& from) {
  if (from.is_on_device) {
    pack_on_device(program_, stream_, buffer(), from, bytes_);
    return buffer_.data();
  }
  from.type->pack(pinned(), from.data, from.count, 0, static_cast<std::int64_t>(bytes_));
  return pinned_.span().data();
}

void DeviceCopy::unpack_source(const std::byte* source, bool is_on_device) {
  if (!to_.is_on_device) {
    copy_on_stream(stream_, pinned(), source, bytes_);
    must_unpack_ = true;
    return;
  }
  if (!is_on_device) {
    copy_on_stream(stream_, buffer(), source, bytes_);
    source = buffer_.data();
  }
  unpack_on_device(program_, stream_, to_, source, bytes_);
}

std::byte* DeviceCopy::pinned() {
  pinned_ = gpu::Pinned<std::byte>(bytes_, stream_);
  return pinned_.span().data();
}

std::byte* DeviceCopy::buffer() {
  buffer_ = gpu::Buffer<std::byte>(bytes_, stream_);
  return buffer_.data();
}

void DeviceCopy::finish() {
  if (must_unpack_) to_.type->unpack(to_.data, pinned_.span().data(), to_.count, 0, static_cast<std::int64_t>(bytes_));
}

void copy_now(Rank& rank, const ProgramData& to, const ProgramData& from, std::size_t bytes) {
  if (bytes == 0) return;
  ProgramDevice& program = ProgramDevice::of(rank);
  DeviceCopy copy(program, program.copy_stream(), to, from, bytes);
  current_strand().wait(gpu::PositionWait(program.device(), copy.end()));
  copy.finish();
}

namespace {

std::size_t bytes_of(const ProgramData& elements) {
  return static_cast<std::size_t>(elements.type != nullptr ? elements.count * elements.type->size() : elements.count);
}

}  // namespace

bool copied_by_device(Rank& rank, ProgramData to, ProgramData from) {
  for (ProgramData* each : {&to, &from})
    each->is_on_device = is_in_device_memory(rank, each->data, each->count, each->type);
  if (!to.is_on_device && !from.is_on_device) return false;
  copy_now(rank, to, from, std::min(bytes_of(to), bytes_of(from)));
  return true;
}

namespace {

/// What is called when a stream has got somewhere.
class CallBehind : public Activity {
 public:
  CallBehind(void (*then)(void*), void* argument) : then_(then), argument_(argument) {
    run = [](Work& self, Pe&) { static_cast<CallBehind&>(self).reached(); };
  }
  /// True: the stream is there already, and nothing is called.
  bool await(gpu::Device& device, const gpu::Position& position) {
    if (!wait_.emplace(*this, device, position).await()) return false;
    finish();
    Activity::end();
    return true;
  }

 protected:
  ~CallBehind() override = default;

 private:
  virtual void finish() {}
  void give_up() noexcept override {
    if (wait_) wait_->give_up();
    Activity::end();
  }
  void reached() {
    finish();
    void (*const then)(void*) = then_;
    void* const argument = argument_;
    Activity::end();
    then(argument);
  }

  std::optional<TurnWait<gpu::PositionWait>> wait_;
  void (*then_)(void*);
  void* argument_;
};

/// As above, of a copy.
class CopyBeside final : public CallBehind {
 public:
  CopyBeside(ProgramDevice& program, const ProgramData& to, const ProgramData& from, std::size_t bytes,
             void (*then)(void*), void* argument)
      : CallBehind(then, argument), copy_(program, program.copy_stream(), to, from, bytes) {}
  const gpu::Position& end_of_copy() const { return copy_.end(); }

 private:
  ~CopyBeside() override = default;
  void finish() override { copy_.finish(); }
  DeviceCopy copy_;
};

}  // namespace

bool start_copy(Rank& rank, const ProgramData& to, const ProgramData& from, std::size_t bytes, void (*then)(void*),
                void* argument) {
  ProgramDevice& program = ProgramDevice::of(rank);
  Pe& pe = rank.scheduler();
  auto& copy = Activity::make<CopyBeside>(pe.activities(), pe.pool(), program, to, from, bytes, then, argument);
  return copy.await(program.device(), copy.end_of_copy());
}

void call_when_reached(gpu::Device& device, const gpu::Position& position, void (*then)(void*), void* argument) {
  Pe& pe = device.pe();
  const bool is_reached =
      position.is_known_reached() ||
      Activity::make<CallBehind>(pe.activities(), pe.pool(), then, argument).await(device, position);
  if (is_reached) then(argument);
}

}  // namespace kaon::ampi
