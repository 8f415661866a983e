// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/queues/progress_engine.hpp"
#include "kaon/gpu/queues/request_text.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

std::unique_ptr<AdapterEngine> make_engine(Device& device, const AdapterOptions& options) {
  const AdapterSizes& sizes = options.sizes;
  if (sizes.queues == 0 || sizes.segments == 0 || sizes.blocks == 0 || sizes.threads == 0)
    throw UsageError("gpu::Adapter: each of its sizes is at least 1");
  if (options.kind == AdapterKind::progress) return std::make_unique<ProgressEngine>(device);
  return std::make_unique<BlockEngine>(device, sizes);
}

}  // namespace

std::shared_ptr<Adapter> Adapter::start(const AdapterOptions& options) {
  auto adapter = std::make_shared<Adapter>(this_device(), options);
  adapter->device_.watches().add(adapter);
  return adapter;
}

Adapter::Adapter(Device& device, const AdapterOptions& options)
    : device_(device),
      options_(options),
      stream_(device),
      engine_(make_engine(device, options)),
      queues_(options.sizes.queues) {}

// --- segments

void Adapter::refuse_full_table() const {
  if (segments_.size() == options_.sizes.segments)
    throw UsageError(
        fmt::format("gpu::Adapter: it has {} segments already; raise AdapterSizes::segments, which counts "
                    "all that are ever added",
                    options_.sizes.segments));
}

SegmentNumber Adapter::add(std::string name, const SegmentRange& range) {
  refuse_full_table();
  return publish(segments_.add(std::move(name), range));
}

SegmentNumber Adapter::add(std::string name, const Flag& flag) {
  refuse_full_table();
  return publish(segments_.add(std::move(name), flag));
}

SegmentNumber Adapter::publish(SegmentNumber number) {
  const Span<std::byte> memory = segments_.memory(number);
  is_live_.push_back(true);
  engine_->set_segment(number, {memory.data(), memory.size(), 1});
  return number;
}

void Adapter::end_segment(SegmentNumber number) {
  if (!is_live_[number]) return;
  is_live_[number] = false;
  engine_->set_segment(number, {});
}

Task<> Adapter::remove(SegmentNumber number) {
  segments_.remove(number);
  end_segment(number);
  const auto done = std::make_shared<const Flag>(stream_);
  removals_.push_back({number, done});
  co_await done->reached(1);
}

bool Adapter::end_removals() {
  if (removals_.empty() || !engine_->has_taken_changes()) return false;
  for (const Removal& removal : removals_) removal.done->raise();
  removals_.clear();
  return true;
}

// A buffer that ended while its segment was in use: later requests are errors instead of faults.
void Adapter::end_freed_segments() {
  for (std::size_t i = 0; i < is_live_.size(); ++i) {
    const auto number = static_cast<SegmentNumber>(i);
    if (is_live_[i] && !segments_.is_live(number)) end_segment(number);
  }
}

// --- queues

std::shared_ptr<QueueState> Adapter::open(const QueuePairOptions& options) {
  if (is_stopped_) throw UsageError("gpu::QueuePair: its adapter was stopped: start another one");
  const auto free = std::find(queues_.begin(), queues_.end(), nullptr);
  if (free == queues_.end())
    throw UsageError(fmt::format("gpu::QueuePair: the adapter has {} queue pairs already; raise AdapterSizes::queues",
                                 queues_.size()));
  const auto number = static_cast<std::uint32_t>(free - queues_.begin());
  *free = std::make_shared<QueueState>(device_, engine_->queue_memory(), options, number);
  return *free;
}

void Adapter::release(QueueState& queue) noexcept {
  try {
    queue.begin_close();
  } catch (...) {  // a fault of the device
    device_.pe().fail(std::current_exception());
  }
}

void Adapter::take_fault(QueueState& queue) {
  const std::optional<RequestFault> fault = engine_->take_fault(queue.number());
  if (!fault) return;
  queue.set_error(fmt::format("queue pair {} of device {} ({}): {}", queue.number(), device_.number(), name(),
                              text_of(*fault, segments_)));
  if (device_.pe().is_stopped()) return log_error(queue.error());  // the run has its result
  if (!queue.options().keeps_errors) device_.pe().fail(std::make_exception_ptr(GpuError(queue.error())));
}

bool Adapter::look_at(std::shared_ptr<QueueState>& queue) {
  if (queue == nullptr) return false;
  const bool has_happened = queue->look(*engine_);
  if (queue->was_opened()) take_fault(*queue);
  if (queue->is_closed()) queue = nullptr;
  return has_happened;
}

// --- DeviceWatch

bool Adapter::look() {
  constexpr std::uint32_t kLooksBetween = 64;
  if (is_over()) return false;
  bool has_happened = engine_->progress();
  if (++looks_ % kLooksBetween == 0 && !is_stopped_) end_freed_segments();
  for (std::shared_ptr<QueueState>& queue : queues_) has_happened |= look_at(queue);
  has_happened |= end_removals();
  const bool are_closed = std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return !queue; });
  if (is_stopped_ && are_closed && !std::exchange(is_engine_stopped_, true)) engine_->stop();
  return has_happened;
}

// Not while queues are open: who waits for their requests are kernels, which are awaited themselves.
bool Adapter::is_awaited() const {
  if (is_over()) return false;
  const bool is_changing =
      std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue && queue->is_changing(); });
  return is_stopped_ || is_changing || !removals_.empty();
}

void Adapter::stop() {
  if (std::exchange(is_stopped_, true)) return;
  for (const std::shared_ptr<QueueState>& queue : queues_)
    if (queue) queue->begin_close();
}

}  // namespace kaon::gpu
