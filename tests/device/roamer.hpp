// SPDX-License-Identifier: Apache-2.0
// Two chares with channels of several sizes between them, which move, close and delete their ends when they are told.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/talk.kernels.hpp"

namespace kaon::testing {

struct RoamerOffer {
  std::size_t which = 0;
  gpu::ChannelOffer offer;
  template <class Archive>
  void pup(Archive& archive) {
    archive(which, offer);
  }
};

class Roamer : public Chare<Roamer> {
 public:
  using Number = std::uint32_t;
  Roamer() = default;
  explicit Roamer(std::vector<std::size_t> counts) : counts_(std::move(counts)) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(counts_, round_, offers);
    if constexpr (Archive::is_loading) make_places();
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      values_[i].pup_on(archive, stream_);
      channels_[i].pup_on(archive, stream_);
    }
  }

  Task<int> connect() {
    make_places();
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      channels_[i] = gpu::Channel<Number>(counts_[i], stream_, gpu::DrivenBy::host);
      values_[i] = gpu::Buffer<Number>(counts_[i], stream_);
      stream_.fill(values_[i].span(), 0);
      gpu::ChannelOffer offer = co_await channels_[i].offer();
      other().send<&Roamer::offers>(RoamerOffer{i, std::move(offer)});
    }
    for (std::size_t missing = counts_.size(); missing > 0; --missing) {
      const RoamerOffer theirs = co_await offers.next();
      channels_[theirs.which].connect(theirs.offer);
    }
    co_return 1;
  }
  /// Rounds up to `stop`, from where it was. Whether all numbers are what they should be.
  Task<bool> talk(Number stop) {
    for (; round_ < stop; ++round_) {
      for (gpu::Channel<Number>& channel : channels_) co_await channel.ready(stream_, round_);
      for (std::size_t i = 0; i < channels_.size(); ++i) {
        stream_.for_each(counts_[i], Talk{channels_[i].end(), values_[i].data(), round_});
        channels_[i].raise(stream_);
      }
    }
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      gpu::Pinned<Number> seen(counts_[i], stream_);
      stream_.copy(seen, values_[i].span());
      co_await stream_.drained();
      for (std::size_t at = 0; at < counts_[i]; ++at)
        if (seen[at] != said(stop, at)) co_return false;
    }
    co_return true;
  }
  /// Returns the error of talk() when the partner is gone.
  Task<std::string> talk_in_vain(Number stop) {
    try {
      (void)co_await talk(stop);
    } catch (const runtime::UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }
  int go(PeId to) {
    migrate_to(to);
    return 1;
  }
  PeId where() const { return pe(); }
  int drop() {
    channels_.clear();
    counts_.clear();
    return 1;
  }
  int die() {
    destroy();
    return 1;
  }
  Task<int> close() {
    std::vector<Task<>> closing;
    for (gpu::Channel<Number>& channel : channels_) closing.push_back(channel.close());
    co_await all(std::move(closing));
    drop();
    co_return 1;
  }
  Task<std::string> close_in_vain() {
    try {
      for (gpu::Channel<Number>& channel : channels_) co_await channel.close();
    } catch (const runtime::UsageError& error) {
      co_return error.what();
    }
    co_return "";
  }
  /// Returns the errors of the uses of an end before ready().
  std::vector<std::string> misuse() {
    gpu::Channel<Number>& channel = channels_.front();
    return {said_by([&] { (void)channel.end(); }), said_by([&] { channel.wait(stream_, round_); }),
            said_by([&] { channel.raise(stream_); })};
  }
  /// Returns the error of connecting to an end of another size, or once more.
  Task<std::string> connect_with(std::size_t count) {
    gpu::Channel<Number> another(count, stream_, gpu::DrivenBy::host);
    const gpu::ChannelOffer offer = co_await another.offer();
    co_return said_by([&] { channels_.front().connect(offer); });
  }
  Inbox<RoamerOffer> offers;

 private:
  Element<Roamer> other() { return array()[1 - index().x]; }
  void make_places() {
    channels_.resize(counts_.size());
    values_.resize(counts_.size());
  }
  template <class F>
  static std::string said_by(const F& use) {
    try {
      use();
    } catch (const runtime::UsageError& error) {
      return error.what();
    }
    return "";
  }
  /// Both begin with zeros, and say the same.
  static Number said(Number stop, std::size_t at) {
    Number value = 0;
    for (Number round = 0; round < stop; ++round)
      value = answer_to(round > 0 ? value : 0, value, static_cast<Number>(at));
    return value;
  }

  std::vector<std::size_t> counts_;
  Number round_ = 0;
  gpu::Stream stream_;
  std::vector<gpu::Buffer<Number>> values_;
  std::vector<gpu::Channel<Number>> channels_;
};

}  // namespace kaon::testing
