// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/puts/own_puts.hpp"

#include <utility>

#include "bench/gpu/puts/direct_puts.hpp"

namespace put_bench {

namespace gpu = kaon::gpu;

namespace {

gpu::PutsStartedBy started_by(Way way) {
  switch (way) {
    case Way::direct:
      return gpu::PutsStartedBy::program;
    case Way::ring:
      return gpu::PutsStartedBy::device;
    default:
      return gpu::PutsStartedBy::host;
  }
}

}  // namespace

kaon::Task<Offer> Player::prepare(std::uint64_t bytes, std::uint32_t puts) {
  bytes_ = bytes;
  puts_ = puts;
  memory_ = gpu::Buffer<unsigned char>(bytes * puts, stream_);
  flags_ = gpu::Buffer<std::uint32_t>(puts, stream_);
  answer_ = gpu::Buffer<std::uint32_t>(1, stream_);
  co_await clear();
  Offer offer{gpu::share_segment(memory_), gpu::share_segment(flags_), gpu::share_segment(answer_)};
  co_return offer;
}

kaon::Task<> Player::clear() {
  stream_.fill(flags_.span(), 0);
  stream_.fill(answer_.span(), 0);
  co_await stream_.drained();
}

std::vector<gpu::Put> Player::puts_to(gpu::SegmentTable& table, const Offer& theirs) const {
  const auto from = table.add("source", memory_);
  const auto to = table.add("target", theirs.target);
  const auto flags = table.add("flags", theirs.flags);
  std::vector<gpu::Put> list;
  for (std::uint32_t i = 0; i < puts_; ++i)
    list.push_back({.from = from,
                    .to = to,
                    .flags = flags,
                    .flag = static_cast<std::uint16_t>(i),
                    .bytes = bytes_,
                    .from_offset = i * bytes_,
                    .to_offset = i * bytes_});
  return list;
}

kaon::Task<> Player::begin(Way way, Offer theirs, std::uint32_t count) {
  co_await clear();
  gpu::SegmentTable table;
  list_.emplace(table, puts_to(table, theirs), stream_, gpu::PreparedPutsOptions{.started_by = started_by(way)});
  ns_ = gpu::Pinned<std::uint32_t>(count, stream_);
  for (std::uint32_t& each : ns_.span()) each = 0;
  if (way == Way::direct)
    stream_.give([&](gpu::NativeStream native) {
      const Ends source{memory_.data(), bytes_};
      direct_ = prepare_direct_puts({list_->starts(), source, {answer_.data()}, count, ns_.span().data()}, native);
    });
  co_await stream_.drained();
}

kaon::Task<std::vector<std::uint32_t>> Player::post(std::uint32_t count) {
  const Ends source{memory_.data(), bytes_};
  if (direct_ == nullptr)
    stream_.launch({{1}, {1}}, PostPuts{list_->ring(), source, {answer_.data()}, count, ns_.span().data()});
  else
    stream_.give([&](gpu::NativeStream native) { launch_direct_puts(direct_, native); });
  co_await stream_.drained();
  if (direct_ != nullptr) end_direct_puts(std::exchange(direct_, nullptr));
  list_.reset();
  std::vector<std::uint32_t> ns(ns_.span().begin(), ns_.span().end());
  co_return ns;
}

kaon::Task<std::uint32_t> Player::flood(std::uint32_t count) {
  stream_.launch({{1}, {1}}, FloodPuts{list_->ring(), count});
  co_await stream_.drained();
  list_.reset();
  co_return count;
}

kaon::Task<std::uint32_t> Player::answer(Offer theirs, std::uint32_t count) {
  const gpu::Span<std::uint32_t> answers = gpu::open_segment<std::uint32_t>(theirs.answer);
  gpu::Buffer<std::uint32_t> wrong(1, stream_);
  gpu::Pinned<std::uint32_t> seen(1, stream_);
  stream_.fill(wrong.span(), 0);
  stream_.launch({{1}, {1}},
                 AnswerPuts{{flags_.data()}, {answers.data()}, {memory_.data(), bytes_}, puts_, count, wrong.data()});
  stream_.copy(seen, wrong.span());
  co_await stream_.drained();
  co_return seen[0];
}

kaon::Task<std::vector<unsigned long long>> Player::note_times(std::uint32_t count) {
  gpu::Buffer<std::uint64_t> times(count, stream_);
  gpu::Pinned<std::uint64_t> seen(count, stream_);
  stream_.fill(times.span(), 0);
  stream_.launch({{1}, {1}}, TimePuts{{flags_.data()}, puts_, count, times.data()});
  stream_.copy(seen, times.span());
  co_await stream_.drained();
  std::vector<unsigned long long> came(seen.span().begin(), seen.span().end());
  co_return came;
}

}  // namespace put_bench
