// SPDX-License-Identifier: Apache-2.0
// Flags that payloads raise when they have landed, and who waits for flags.
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/arrival.kernels.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"

namespace kaon::testing::arrival {

constexpr std::size_t kSize = 700;
constexpr std::uint32_t kRounds = 25;
const gpu::Grid kGrid{4, 32};

Payload<int> round_of(gpu::Stream& stream, std::uint32_t round) {
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

Task<> add_rounds(Runtime& runtime) {
  const auto receivers = co_await runtime.create<Receiver>(runtime.pes() + 1);
  const auto last = static_cast<int>(runtime.pes());
  const std::uint32_t wrong = co_await receivers[0].call<&Receiver::add>(receivers[last]);
  CHECK(wrong == 0);
  const std::uint32_t in_process = co_await receivers[last].call<&Receiver::add>(receivers[last]);
  CHECK(in_process == 0);
}

Task<> wait_for_payloads(Runtime& runtime) {
  const auto waiting = co_await runtime.create<Waiting>(runtime.pes() + 1);
  const auto last = static_cast<int>(runtime.pes());
  const double by_task = co_await waiting[0].call<&Waiting::by_task>(waiting[last]);
  CHECK(by_task == 0);
  const double by_stream = co_await waiting[last].call<&Waiting::by_stream>(waiting[0]);
  CHECK(by_stream == 0);
}

/// A kernel, two streams and the host, one behind the other.
Task<> pass_on(Runtime&) {
  gpu::Stream one, two;
  gpu::Flag call(one), reply(one), last(one);
  const gpu::Pinned<std::uint32_t> words(2, one);
  words[0] = 21;
  words[1] = 0;
  one.launch({1, 1}, RaiseBack{call.word(), reply.word(), &words[0], &words[1]});
  two.wait(reply, 3);
  two.raise(last, 2);
  two.raise(last);
  CHECK(last.value() == 0);
  call.raise();
  co_await last.reached(3);
  CHECK(words[1] == 42);
  CHECK(reply.value() == 3);
  co_await last.reached(2);  // at once
  co_await two.drained();
}

Task<> wait_on_threads(Runtime&) {
  gpu::Stream stream;
  const gpu::Flag there(stream), back(stream);
  std::jthread other([&] {
    if (there.wait_for(5, std::chrono::seconds(60))) back.raise(7);
  });
  there.raise(5);
  co_await back.reached(7);
  CHECK_FALSE(back.wait_for(8, std::chrono::nanoseconds(1)));
}

/// Its wait is given up by what comes first.
Task<> give_up(Runtime&) {
  gpu::Stream stream;
  const gpu::Flag never(stream), soon(stream);
  const auto waits = [](const gpu::Flag& flag) -> Task<int> {
    co_await flag.reached(1);
    co_return 1;
  };
  soon.raise();
  const auto first = co_await any(waits(never), waits(soon));
  CHECK(first.index() == 1);
}

Task<> refuse(Runtime&) {
  gpu::Stream stream;
  const gpu::Flag flag(stream);
  CHECK(thrown<UsageError>([&] { (void)Landing::pooled().raising(flag); }).find("Landing::into(span, stream)") !=
        std::string::npos);
  int memory[4];
  const Landing landing = Landing::into(std::span<int>(memory)).raising(flag);
  runtime::OwnedPayload payload(runtime::make_payload(16));
  CHECK(thrown<UsageError>([&] { runtime::relocate(*payload, landing); }).find("memory of a device") !=
        std::string::npos);
  co_return;
}

/// Is over while a payload that would raise a flag is still awaited.
class Deserted : public Chare<Deserted> {
 public:
  Task<> begin() {
    adders_.emplace(gpu::ResidentOptions{.workers = 1, .threads = 64});
    flag_.emplace(co_await adders_->make_flag());
  }
  void give(Element<Deserted> to) { to.send<&Deserted::take>(round_of(stream_, 1)); }
  void take(Payload<int>) { ++taken; }
  Landing post(PostFor<&Deserted::take>, const Payload<int>&) {
    const Landing landing = Landing::into(place_.span(), stream_).raising(*flag_);
    adders_.reset();  // before it has come
    return landing;
  }
  static inline int taken = 0;

 private:
  gpu::Stream stream_;
  gpu::Buffer<int> place_{kSize, stream_};
  std::optional<gpu::Resident<AdderEntries>> adders_;
  std::optional<gpu::DeviceFlag> flag_;
};

Task<> desert(Runtime& runtime) {
  const auto chares = co_await runtime.create<Deserted>(runtime.pes() + 1);
  const auto last = static_cast<int>(runtime.pes());
  co_await chares[0].call<&Deserted::begin>();
  co_await chares[last].call<&Deserted::give>(chares[0]);
  co_await runtime.quiescence();
  CHECK(std::exchange(Deserted::taken, 0) == 1);
}

}  // namespace kaon::testing::arrival

namespace kaon::testing {

TEST_CASE("a payload raises the flag that an entry of the device waits for", "[device][flag]") {
  run_on_devices(arrival::add_rounds);
}

TEST_CASE("tasks and streams wait for the flags of payloads", "[device][flag]") {
  run_on_devices(arrival::wait_for_payloads);
}

TEST_CASE("flags pass from kernels to streams to tasks", "[device][flag]") { run_on_devices(arrival::pass_on); }

TEST_CASE("other threads wait for flags and raise them", "[device][flag]") { run_on_devices(arrival::wait_on_threads); }

TEST_CASE("the wait for a flag may be given up", "[device][flag]") { run_on_devices(arrival::give_up); }

TEST_CASE("a flag is refused where nothing would raise it", "[device][flag]") { run_on_devices(arrival::refuse); }

TEST_CASE("a resident scheduler may end before a payload raises its flag", "[device][flag]") {
  run_on_devices(arrival::desert);
}

}  // namespace kaon::testing
