// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/block_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"

namespace kaon::gpu {
namespace {

std::uint32_t load(const std::uint32_t& word) { return HostWords::load(&word, Scope::system); }
void store(std::uint32_t& word, std::uint32_t value) { HostWords::store(&word, value, Scope::system); }
template <class T>
void clear(const Pinned<T>& memory) {
  std::uninitialized_value_construct_n(memory.span().data(), memory.size());
}

}  // namespace

BlockEngine::BlockEngine(Device& device, const AdapterSizes& sizes)
    : device_(device),
      sizes_(sizes),
      stream_(device),
      control_(1, stream_),
      slots_(sizes.queues, stream_),
      reports_(sizes.queues, stream_),
      shared_segments_(sizes.segments, stream_),
      seen_(sizes.blocks, stream_),
      queues_(sizes.queues, stream_),
      segments_(std::size_t{sizes.segments} * sizes.blocks, stream_),
      has_told_fault_(sizes.queues) {
  const unsigned most = most_blocks_at_once<BlockAdapterKernel>(device.driver().backend(),
                                                                device.card().description().processors, sizes.threads);
  if (sizes.blocks >= most)
    throw GpuError(
        fmt::format("gpu::Adapter: {} blocks of {} threads would fill device {}, which runs {} at once, so "
                    "that no kernel could post requests: take fewer",
                    sizes.blocks, sizes.threads, device.number(), most));
  clear(control_);
  clear(slots_);
  clear(reports_);
  clear(shared_segments_);
  clear(seen_);
  stream_.fill(queues_.span(), 0);
  stream_.fill(segments_.span(), 0);
  stream_.launch(
      {{sizes.blocks}, {sizes.threads}},
      BlockAdapterKernel{&control_[0], slots_.span().data(), reports_.span().data(), shared_segments_.span().data(),
                         seen_.span().data(), queues_.data(), segments_.data(), sizes.segments});
  launched_ = stream_.here();
  behind_launch_ = device.stream_watcher().record(*launched_.stream);
}

void BlockEngine::publish() { store(control_[0].version, ++version_); }

void BlockEngine::set_segment(SegmentNumber number, const AdapterSegment& segment) {
  AdapterSegment& own = shared_segments_[number];
  if (segment.is_live != 0) {
    own.memory = segment.memory;
    own.bytes = segment.bytes;
  }
  store(own.is_live, segment.is_live);
  if (number >= load(control_[0].segments)) store(control_[0].segments, number + 1U);
  publish();
}

bool BlockEngine::has_taken_changes() const {
  return has_ended_ || std::all_of(seen_.span().begin(), seen_.span().end(),
                                   [this](const std::uint32_t& word) { return load(word) == version_; });
}

void BlockEngine::open(std::uint32_t slot, const AdapterQueue& queue) {
  BlockSlot& own = slots_[slot];
  own.queue = queue;
  store(own.is_closing, 0);
  store(own.is_partner_gone, 0);
  reports_[slot].status = 0;
  has_told_fault_[slot] = false;
  store(own.opening, own.opening + 1);
  if (slot >= load(control_[0].slots)) store(control_[0].slots, slot + 1);
  publish();
}

void BlockEngine::refuse(std::uint32_t slot) {
  store(slots_[slot].is_partner_gone, 1);
  publish();
}

void BlockEngine::close(std::uint32_t slot) {
  store(slots_[slot].is_closing, 1);
  publish();
}

bool BlockEngine::is_closed(std::uint32_t slot) const {
  return has_ended_ || load(reports_[slot].closed) == slots_[slot].opening;
}

std::optional<RequestFault> BlockEngine::take_fault(std::uint32_t slot) {
  const BlockReport& report = reports_[slot];
  const auto status = static_cast<RequestStatus>(load(report.status));
  if (status == RequestStatus::ok || has_told_fault_[slot]) return std::nullopt;
  has_told_fault_[slot] = true;
  return RequestFault{report.request, report.index, status};
}

void BlockEngine::stop() {
  if (!std::exchange(is_stopped_, true)) store(control_[0].stop, 1);
}

bool BlockEngine::progress() {
  if (!is_stopped_ || has_ended_) return false;
  const bool has_advanced = device_.driver().advance();  // of an emulation without threads
  if (!device_.driver().is_reached(behind_launch_.get())) return has_advanced;
  has_ended_ = true;
  behind_launch_.reset();
  launched_.stream->end_open_ended(launched_.count);
  return true;
}

}  // namespace kaon::gpu
