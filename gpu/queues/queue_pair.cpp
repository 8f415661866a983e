// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/queues/queue_pair.hpp"

#include <fmt/format.h>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

QueuePair::QueuePair(std::shared_ptr<Adapter> adapter, Stream& stream, const QueuePairOptions& options)
    : adapter_(std::move(adapter)), state_(adapter_->open(options)) {
  stream.wait(state_->stream().record());
}

QueuePair::QueuePair(QueuePair&& other) noexcept
    : adapter_(std::move(other.adapter_)),
      state_(std::exchange(other.state_, nullptr)),
      remote_(std::move(other.remote_)) {}

QueuePair& QueuePair::operator=(QueuePair&& other) noexcept {
  std::swap(adapter_, other.adapter_);
  std::swap(state_, other.state_);
  std::swap(remote_, other.remote_);
  return *this;
}

// Behind the end of its PE the adapter has closed it.
QueuePair::~QueuePair() {
  if (state_ != nullptr && this_pe_or_null() != nullptr) adapter_->release(*state_);
}

QueueState& QueuePair::state() const {
  if (state_ == nullptr) throw UsageError("gpu::QueuePair: this queue pair was closed, or moved to another object");
  return *state_;
}

QueueOffer QueuePair::offer(const std::vector<SegmentNumber>& segments) const {
  QueueOffer offer{adapter_->device().pe().id(), state().number(), {}, state().closed_place()};
  const SegmentTable& table = adapter_->segments();
  for (const SegmentNumber number : segments) offer.segments.push_back({table.name_of(number), table.range(number)});
  return offer;
}

void QueuePair::connect(const QueueOffer& partner) {
  if (state().is_connected())
    throw UsageError(
        fmt::format("gpu::QueuePair::connect(): queue pair {} is connected already: make one for each "
                    "partner",
                    state().number()));
  for (const QueueOffer::Segment& segment : partner.segments)
    remote_.push_back(adapter_->add(fmt::format("PE {}'s {}", partner.pe, segment.name), segment.range));
  state().set_partner(payloads_of(adapter_->device()).platform().shared_flags().open(partner.closed));
}

SegmentNumber QueuePair::remote(std::size_t i) const {
  if (i >= remote_.size())
    throw UsageError(
        fmt::format("gpu::QueuePair::remote(): segment {} of a partner that has offered {}: call connect() "
                    "with the offer that has it",
                    i, remote_.size()));
  return remote_[i];
}

void QueuePair::prefill(const WorkRequest& request, Stream& stream) {
  state().stream().wait(stream.record());
  state().prefill(request);
  stream.wait(state().stream().record());
}

const SendQueue& QueuePair::queue() const {
  if (!state().is_connected())
    throw UsageError("gpu::QueuePair::queue(): connect() it to the offer of its partner first");
  return state().queue();
}

Task<QueueCounts> QueuePair::counts() {
  const std::shared_ptr<QueueState> state = state_;
  if (state == nullptr) throw UsageError("gpu::QueuePair::counts(): this queue pair was closed");
  Stream& stream = state->stream();
  Pinned<std::uint32_t> copy(QueueWords::kLine * QueueWords::kLines, stream);
  stream.copy(copy, Span<const std::uint32_t>(state->queue().words.words, copy.size()));
  co_await stream.drained();
  const QueueWords words{copy.span().data()};
  co_return QueueCounts{*words.reserved(), *words.rings(), *words.completed(), *words.polled()};
}

Task<> QueuePair::close() {
  const std::shared_ptr<QueueState> state = std::exchange(state_, nullptr);
  if (state == nullptr) throw UsageError("gpu::QueuePair::close(): this queue pair was closed before");
  state->begin_close();
  co_await state->closed().reached(1);
}

}  // namespace kaon::gpu
