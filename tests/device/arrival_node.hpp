// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/arrival.kernels.hpp"
#include "tests/device/pattern_kernels.hpp"

namespace kaon::testing::arrival {

inline constexpr std::size_t kSize = 700;
inline constexpr std::uint32_t kRounds = 25;
inline const gpu::Grid kGrid{4, 32};

inline Payload<int> round_of(gpu::Stream& stream, std::uint32_t round) {
  gpu::Buffer<int> buffer(kSize, stream);
  stream.launch(kGrid, WritePattern{buffer.data(), kSize, static_cast<int>(1000 * round)});
  return {std::move(buffer), stream};
}

/// Takes rounds of payloads into two places; an entry of its device adds them, without a word of the host.
class Receiver : public Chare<Receiver> {
 public:
  Task<std::uint32_t> add(Element<Receiver> sender) {
    adders_.emplace(gpu::ResidentOptions{.workers = 1, .threads = 64});
    flag_.emplace(co_await adders_->make_flag());
    const auto taken = adders_->on_host<std::uint32_t>([this, sender](std::uint32_t round) {
      if (round + 1 < kRounds) sender.send<&Receiver::give>(self(), round + 2);
    });
    const Adder adder{{places_[0].data(), places_[1].data()}, kSize, {flag_->word()}, 0};
    const auto object = co_await adders_->make(adder);
    sender.send<&Receiver::give>(self(), 1U);
    sender.send<&Receiver::give>(self(), 2U);
    const std::uint32_t wrong = co_await adders_->call(object, BeginAdding{kRounds, taken});
    co_return wrong;
  }
  void give(Element<Receiver> to, std::uint32_t round) { to.send<&Receiver::take>(round, round_of(stream_, round)); }
  void take(std::uint32_t, Payload<int>) {}
  Landing post(PostFor<&Receiver::take>, std::uint32_t round, const Payload<int>&) {
    return Landing::into(places_[round % 2].span(), stream_).raising(*flag_);
  }

 private:
  gpu::Stream stream_;
  gpu::Buffer<int> places_[2] = {{kSize, stream_}, {kSize, stream_}};
  std::optional<gpu::Resident<AdderEntries>> adders_;
  std::optional<gpu::DeviceFlag> flag_;
};

/// Waits itself, or lets a stream wait, for payloads that come one after the other, each into a place of its own.
class Waiting : public Chare<Waiting> {
 public:
  static constexpr std::uint32_t kPlaces = 6;
  Waiting() {
    for (std::uint32_t i = 0; i < kPlaces; ++i) places_.emplace_back(kSize, stream_);
  }
  void give(Element<Waiting> to) {
    for (std::uint32_t i = 0; i < kPlaces; ++i) to.send<&Waiting::take>(i, round_of(stream_, i));
  }
  void take(std::uint32_t, Payload<int>) {}
  Landing post(PostFor<&Waiting::take>, std::uint32_t i, const Payload<int>&) {
    return Landing::into(places_[i].span(), stream_).raising(flag_);
  }
  Task<double> by_task(Element<Waiting> from) {
    from.send<&Waiting::give>(self());
    co_await flag_.reached(kPlaces);
    co_return co_await wrong(stream_);
  }
  Task<double> by_stream(Element<Waiting> from) {
    gpu::Stream other;
    other.wait(flag_, kPlaces);
    from.send<&Waiting::give>(self());
    co_return co_await wrong(other);
  }

 private:
  Task<double> wrong(gpu::Stream& stream) {
    gpu::Buffer<double> count(1, stream);
    stream.fill(count.span(), 0);
    for (std::uint32_t i = 0; i < kPlaces; ++i)
      stream.launch(kGrid, CheckPattern{places_[i].data(), kSize, static_cast<int>(1000 * i), count.data()});
    gpu::Pinned<double> on_host(1, stream);
    stream.copy(on_host, count.span());
    co_await stream.drained();
    co_return on_host[0];
  }
  gpu::Stream stream_;
  gpu::Flag flag_{stream_};
  std::vector<gpu::Buffer<int>> places_;
};

/// How many were wrong, of rounds that an entry of the device takes.
inline Task<std::uint32_t> add_rounds(Runtime& runtime) {
  const auto receivers = co_await runtime.create<Receiver>(runtime.pes() + 1);
  const auto last = static_cast<int>(runtime.pes());
  const std::uint32_t wrong = co_await receivers[0].call<&Receiver::add>(receivers[last]);
  const std::uint32_t in_process = co_await receivers[last].call<&Receiver::add>(receivers[last]);
  co_return wrong + in_process;
}

/// And of those for which a task and a stream wait.
inline Task<double> wait_for_payloads(Runtime& runtime) {
  const auto waiting = co_await runtime.create<Waiting>(runtime.pes() + 1);
  const auto last = static_cast<int>(runtime.pes());
  const double by_task = co_await waiting[0].call<&Waiting::by_task>(waiting[last]);
  const double by_stream = co_await waiting[last].call<&Waiting::by_stream>(waiting[0]);
  co_return by_task + by_stream;
}

}  // namespace kaon::testing::arrival
