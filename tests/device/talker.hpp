// SPDX-License-Identifier: Apache-2.0
// Two chares that have a channel, of which each waits for rounds and raises them in a way of its own.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/talk.kernels.hpp"

namespace kaon::testing {

using TalkNumbers = std::vector<std::uint32_t>;

enum class TalkWay : std::uint8_t {
  task,      // a task waits
  stream,    // its stream waits, and the host goes ahead
  gathered,  // a task waits, and launches are gathered
  entry,     // of a resident kernel
};
inline constexpr std::array<TalkWay, 4> kTalkWays{TalkWay::task, TalkWay::stream, TalkWay::gathered, TalkWay::entry};

class Talker : public Chare<Talker> {
 public:
  static constexpr std::size_t kCount = 37;
  /// Places the two on the first PE and the last, as far from each other as PEs are.
  static PeId place(const Index& index, PeId pes) { return index.x == 0 ? 0 : pes - 1; }
  explicit Talker(std::array<TalkWay, 2> ways) : way_(ways[static_cast<std::size_t>(index().x)]) {}

  Task<int> connect() {
    if (way_ == TalkWay::entry)
      channel_.emplace(kCount, stream_);
    else
      channel_.emplace(kCount, stream_, gpu::DrivenBy::host);
    gpu::ChannelOffer offer = co_await channel_->offer();
    other().send<&Talker::offers>(std::move(offer));
    channel_->connect(co_await offers.next());
    const gpu::Pinned<std::uint32_t> ones(kCount, stream_);
    std::fill(ones.span().begin(), ones.span().end(), 1U);
    stream_.copy(values_.span(), ones);
    co_await stream_.drained();
    if (way_ == TalkWay::entry) co_await begin_speaker();
    co_return 1;
  }
  /// Connects later.
  Task<int> offer_only() {
    channel_.emplace(kCount, stream_, gpu::DrivenBy::host);
    gpu::ChannelOffer offer = co_await channel_->offer();
    other().send<&Talker::offers>(std::move(offer));
    co_return 1;
  }
  Task<std::string> connect_late() {
    const gpu::ChannelOffer offer = co_await offers.next();
    try {
      channel_->connect(offer);
    } catch (const runtime::UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }
  /// Rounds up to `stop`, from where it was. Returns what the numbers have become.
  Task<TalkNumbers> talk(std::uint32_t stop) {
    if (way_ == TalkWay::entry)
      co_await speakers_->call(speaker_, BeginSpeak{round_, stop});
    else
      for (std::uint32_t round = round_; round < stop; ++round) co_await answer(round);
    round_ = stop;
    gpu::Pinned<std::uint32_t> seen(kCount, stream_);
    stream_.copy(seen, values_.span());
    co_await stream_.drained();
    co_return TalkNumbers(seen.span().begin(), seen.span().end());
  }
  /// Returns the error of talk() when the partner is gone.
  Task<std::string> talk_in_vain(std::uint32_t stop) {
    try {
      (void)co_await talk(stop);
    } catch (const runtime::UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }
  /// By an entry, whose last round may not have left yet.
  Task<> talk_and_drop(std::uint32_t stop) {
    co_await speakers_->call(speaker_, BeginSpeak{0, stop});
    drop();
  }
  Task<> talk_and_close(std::uint32_t stop) {
    co_await speakers_->call(speaker_, BeginSpeak{0, stop});
    co_await channel_->close();
  }
  /// So many rounds, and waits for the last one of the partner's.
  Task<> hear(std::uint32_t stop) {
    (void)co_await talk(stop);
    co_await channel_->ready(stream_, stop);
  }
  Task<> hear_and_close(std::uint32_t stop) {
    co_await hear(stop);
    co_await channel_->close();
  }
  void drop() { channel_.reset(); }
  int drop_it() {
    drop();
    return 1;
  }
  void say_nothing() {}
  Task<std::string> close_in_vain() {
    try {
      co_await channel_->close();
    } catch (const runtime::UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }
  Task<std::string> close_twice(Element<Talker> partner) {
    co_await all(close_only(), partner.call<&Talker::close_only>());
    co_return co_await close_in_vain();
  }
  Task<> close_only() { co_await channel_->close(); }
  Task<std::string> wait_as_a_task() {
    try {
      co_await channel_->ready(stream_, 0);
    } catch (const runtime::UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }
  Task<> talk_to(std::uint32_t stop) { (void)co_await talk(stop); }
  int say_ready() {
    std::printf("ready %d pid %d\n", this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
    return 1;
  }
  Task<> close() {
    co_await channel_->close();
    channel_.reset();
  }
  bool has_closed() const { return !channel_.has_value(); }
  Inbox<gpu::ChannelOffer> offers;

 private:
  using Speakers = gpu::Resident<SpeakerEntries>;
  Element<Talker> other() { return array()[1 - index().x]; }

  Task<> answer(std::uint32_t round) {
    const Talk talk{channel_->end(), values_.data(), round};
    if (way_ == TalkWay::stream)
      channel_->wait(stream_, round);
    else
      co_await channel_->ready(stream_, round);
    if (way_ == TalkWay::gathered)
      stream_.gather_each(kCount, talk);
    else
      stream_.for_each(kCount, talk);
    channel_->raise(stream_);
  }
  Task<> begin_speaker() {
    gpu::ResidentOptions options;
    options.workers = 2;
    options.threads = 64;
    speakers_ = Speakers::shared(options);
    stream_.fill(said_.span(), 0);
    const gpu::Pinned<gpu::AwaitedFlag> before(2, stream_);
    before[0] = channel_->awaited();
    before[1] = {{said_.data()}, 1, gpu::Scope::device};
    stream_.copy(before_.span(), before);
    co_await stream_.drained();
    channel_->move_to(speakers_->stream());
    before_.move_to(speakers_->stream());
    said_.move_to(speakers_->stream());
    values_.move_to(speakers_->stream());
    speaker_ = co_await speakers_->make(Speaker{channel_->end(), {said_.data()}, {before_.data(), 2}, values_.data()});
  }

  TalkWay way_;
  std::shared_ptr<Speakers> speakers_;
  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> values_{kCount, stream_};
  gpu::Buffer<gpu::AwaitedFlag> before_{2, stream_};
  gpu::Buffer<std::uint32_t> said_{1, stream_};
  std::optional<gpu::Channel<std::uint32_t>> channel_;
  gpu::DeviceObject<Speaker> speaker_;
  std::uint32_t round_ = 0;
};

/// The numbers that both have after so many rounds.
inline std::array<TalkNumbers, 2> talked(std::uint32_t rounds) {
  std::array<TalkNumbers, 2> both{TalkNumbers(Talker::kCount, 1), TalkNumbers(Talker::kCount, 1)};
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::array<TalkNumbers, 2> before = both;
    for (std::size_t side = 0; side < 2; ++side)
      for (std::uint32_t i = 0; i < Talker::kCount; ++i)
        both[side][i] = answer_to(round > 0 ? before[1 - side][i] : 0, before[side][i], i);
  }
  return both;
}

/// True if two that talk in these ways, several times, receive each other's numbers. Then both close their ends.
inline Task<bool> talk_as(Runtime& runtime, std::array<TalkWay, 2> ways) {
  const auto talkers = co_await runtime.create<Talker>(2, ways);
  (void)co_await talkers.call_all<&Talker::connect>(sum);
  bool is_right = true;
  for (const std::uint32_t stop : {21U, 42U, 43U}) {
    const auto [one, other] = co_await all(talkers[0].call<&Talker::talk>(stop), talkers[1].call<&Talker::talk>(stop));
    const std::array<TalkNumbers, 2> expected = talked(stop);
    is_right = is_right && one == expected[0] && other == expected[1];
  }
  co_await all(talkers[0].call<&Talker::close>(), talkers[1].call<&Talker::close>());
  co_return is_right;
}

}  // namespace kaon::testing
