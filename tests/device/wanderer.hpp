// SPDX-License-Identifier: Apache-2.0
// Chares in a ring, of which each has channels with both neighbors, and that move meanwhile.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/ring.kernels.hpp"

namespace kaon::testing {

using RingNumbers = std::vector<std::uint32_t>;

enum class RingWay : std::uint8_t { task, stream, gathered };
/// The treatment of a member's channel ends after its last round.
enum class RingEnd : std::uint8_t { stay, close, drop };

struct RingOffer {
  bool is_of_left = false;  // of the receiver
  gpu::ChannelOffer offer;
  template <class Archive>
  void pup(Archive& archive) {
    archive(is_of_left, offer);
  }
};

class Wanderer : public Chare<Wanderer> {
 public:
  static constexpr std::size_t kCount = 37;
  Wanderer() = default;
  Wanderer(int others, RingWay way, std::uint32_t seed, RingEnd end = RingEnd::stay)
      : size_(others),
        way_(way),
        end_(end),
        seed_(seed + 77 * static_cast<std::uint32_t>(index().x)),
        values_(kCount, stream_) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(size_, way_, end_, seed_, round_, stop_, moves_, offers);
    values_.pup_on(archive, stream_);
    left_.pup_on(archive, stream_);
    right_.pup_on(archive, stream_);
    if constexpr (Archive::is_loading) has_moved_ = true;
  }

  Task<int> connect() {
    left_ = gpu::Channel<std::uint32_t>(kCount, stream_, gpu::DrivenBy::host);
    right_ = gpu::Channel<std::uint32_t>(kCount, stream_, gpu::DrivenBy::host);
    gpu::ChannelOffer of_left = co_await left_.offer();
    gpu::ChannelOffer of_right = co_await right_.offer();
    neighbor(-1).send<&Wanderer::offers>(RingOffer{false, std::move(of_left)});
    neighbor(1).send<&Wanderer::offers>(RingOffer{true, std::move(of_right)});
    // That of one may come long before that of the other, and its sender go on.
    const RingOffer one = co_await offers.next();
    const RingOffer other = co_await offers.next();
    for (const RingOffer* theirs : {&one, &other}) (theirs->is_of_left ? left_ : right_).connect(theirs->offer);
    const gpu::Pinned<std::uint32_t> ones(kCount, stream_);
    std::fill(ones.span().begin(), ones.span().end(), 1U);
    stream_.copy(values_.span(), ones);
    co_await stream_.drained();
    co_return 1;
  }
  /// Moves at once, while others may still have to connect their ends.
  Task<> connect_and_walk(std::uint32_t stop) {
    (void)co_await connect();
    stop_ = stop;
    hop(random(3));
  }
  /// Some rounds, and then on from here or from elsewhere, up to `stop`.
  Task<> walk(std::uint32_t stop) {
    stop_ = stop;
    for (std::uint32_t more = 1 + random(4); more > 0 && round_ < stop_; --more) co_await talk_once();
    if (way_ == RingWay::stream) co_await stream_.drained();
    if (round_ < stop_ || end_ != RingEnd::stay) hop(random(3));
  }
  /// Moves so many times before it goes on.
  void hop(std::uint32_t times) {
    if (times > 0) migrate_to(random(this_runtime().pes()));
    if (times > 0)
      self().send<&Wanderer::hop>(times - 1);
    else if (round_ < stop_)
      self().send<&Wanderer::walk>(stop_);
    else
      self().send<&Wanderer::part>();
  }
  /// Where it is now, and while its neighbors may move; then it moves without them.
  Task<> part() {
    if (end_ == RingEnd::close) {
      co_await all(left_.close(), right_.close());
    } else {
      co_await left_.ready(stream_, round_);  // what its neighbors may still write here
      co_await right_.ready(stream_, round_);
      left_ = {};
      right_ = {};
    }
    migrate_to(random(this_runtime().pes()));
  }
  void go(PeId to) { migrate_to(to); }
  Task<> talk(std::uint32_t stop) {
    while (round_ < stop) co_await talk_once();
  }
  Task<RingNumbers> numbers() {
    gpu::Pinned<std::uint32_t> seen(kCount, stream_);
    stream_.copy(seen, values_.span());
    co_await stream_.drained();
    co_return RingNumbers(seen.span().begin(), seen.span().end());
  }
  Task<int> close() {
    co_await all(left_.close(), right_.close());
    co_return 1;
  }
  PeId where() const { return pe(); }
  Inbox<RingOffer> offers;

 private:
  Element<Wanderer> neighbor(int way) { return array()[(index().x + way + size_) % size_]; }
  Element<Wanderer> self() { return array()[index()]; }
  std::uint32_t random(std::uint32_t below) {
    std::minstd_rand engine(seed_ + 1);
    seed_ = static_cast<std::uint32_t>(engine());
    return seed_ / 16 % below;
  }
  Task<> talk_once() {
    if (way_ == RingWay::stream && !std::exchange(has_moved_, false)) {
      left_.wait(stream_, round_);
      right_.wait(stream_, round_);
    } else {
      co_await left_.ready(stream_, round_);
      co_await right_.ready(stream_, round_);
    }
    const TalkInRing talk{left_.end(), right_.end(), values_.data(), round_++};
    if (way_ == RingWay::gathered)
      stream_.gather_each(kCount, talk);
    else
      stream_.for_each(kCount, talk);
    left_.raise(stream_);
    right_.raise(stream_);
  }

  int size_ = 0;
  RingWay way_ = RingWay::task;
  RingEnd end_ = RingEnd::stay;
  std::uint32_t seed_ = 0, round_ = 0, stop_ = 0, moves_ = 0;
  bool has_moved_ = false;
  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> values_;
  gpu::Channel<std::uint32_t> left_, right_;
};

/// The numbers that the members of a ring have after so many rounds.
inline std::vector<RingNumbers> told_in_ring(int members, std::uint32_t rounds) {
  const auto size = static_cast<std::size_t>(members);
  std::vector<RingNumbers> all(size, RingNumbers(Wanderer::kCount, 1));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::vector<RingNumbers> before = all;
    for (std::size_t member = 0; member < size; ++member)
      for (std::uint32_t i = 0; i < Wanderer::kCount; ++i) {
        const std::uint32_t left = before[(member + size - 1) % size][i], right = before[(member + 1) % size][i];
        all[member][i] = answer_to(round > 0 ? heard_of(left, right) : 0, before[member][i], i);
      }
  }
  return all;
}

}  // namespace kaon::testing
