// SPDX-License-Identifier: Apache-2.0
// Kernels that several give to a shared stream, and what waits for them. The emulation runs those of one launch in the
// opposite order, which tells them apart.
#include <array>
#include <optional>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/gathered.kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::gathered {

constexpr std::size_t kSize = 100;
constexpr int kAdders = 7;
const gpu::Grid kGrid{{2}, {32}};

using Turns = std::vector<int>;

/// What was noted on a stream by now.
Task<Turns> turns_of(gpu::Stream& stream, gpu::Buffer<int>& notes) {
  gpu::Pinned<int> copy(kSize, stream);
  stream.copy(copy, notes.span());
  co_await stream.drained();
  co_return Turns(copy.span().begin() + 1, copy.span().begin() + 1 + copy[0]);
}

Task<> gather_together(Runtime&) {
  gpu::Stream one = gpu::Stream::shared(), other = gpu::Stream::shared(), third = gpu::Stream::shared();
  gpu::Buffer<int> notes(kSize, one);
  one.fill(notes.span(), 0);
  one.gather(kGrid, NoteTurn{notes.data(), 1});
  other.gather(kGrid, NoteTurn{notes.data(), 2});
  third.gather(kGrid, NoteTurn{notes.data(), 3});
  one.gather(kGrid, NoteTurn{notes.data(), 4});  // after its own
  other.gather(kGrid, NoteTurn{notes.data(), 5});
  other.launch(kGrid, NoteTurn{notes.data(), 6});  // after all that the stream has
  third.gather(kGrid, NoteTurn{notes.data(), 7});
  const Turns turns = co_await turns_of(one, notes);
  CHECK(turns == Turns{3, 2, 1, 5, 4, 6, 7});
}

/// More than a launch takes, and others between them.
Task<> gather_many(Runtime&) {
  gpu::Stream one = gpu::Stream::shared(), other = gpu::Stream::shared();
  constexpr int kCount = 3000;
  gpu::Buffer<int> values(kCount, one);
  for (int i = 0; i < kCount; ++i) {
    gpu::Stream own = gpu::Stream::shared();
    own.gather_each(1, AddInto{nullptr, values.data() + i, i});
    if (i % 1000 == 7) other.gather(gpu::Grid{{1}, {64}}, NoteTurn{values.data() + kCount - 2, 0});
  }
  gpu::Pinned<int> copy(kCount, one);
  one.copy(copy, values.span());
  co_await one.drained();
  int wrong = 0;
  for (int i = 0; i < kCount - 2; ++i) wrong += copy[static_cast<std::size_t>(i)] != i;
  CHECK(wrong == 0);
}

/// Each as if it were launched alone, on grids of its own.
Task<> keep_grids(Runtime&) {
  gpu::Stream one = gpu::Stream::shared(), other = gpu::Stream::shared(), third = gpu::Stream::shared();
  gpu::Buffer<int> places(3 * kSize, one);
  one.fill(places.span(), 0);
  const std::vector<gpu::Extent> grids{{3, 2, 2}, {1}, {2, 5}};
  const std::vector<gpu::Stream*> streams{&one, &other, &third};
  std::size_t at = 0;
  for (std::size_t i = 0; i < grids.size(); at += 3 * grids[i++].volume())
    streams[i]->gather({grids[i], {8, 4}}, GatheredCensus{places.data() + at});
  gpu::Pinned<int> copy(3 * kSize, one);
  one.copy(copy, places.span());
  co_await one.drained();
  Turns expected;
  for (const gpu::Extent& grid : grids)
    for (std::size_t block = 0; block < grid.volume(); ++block) {
      expected.push_back(static_cast<int>(grid.volume()));
      expected.push_back(32);
      expected.push_back(block + 1 == grid.volume());
    }
  CHECK(Turns(copy.span().begin(), copy.span().begin() + static_cast<std::ptrdiff_t>(expected.size())) == expected);
}

/// A flag that is raised behind gathered kernels is one of the pieces of work that are awaited with them.
Task<> raise_behind_gathered(Runtime&) {
  gpu::Stream own = gpu::Stream::shared();
  const gpu::Flag flag(own);
  gpu::Buffer<int> notes(kSize, own);
  for (std::uint32_t time = 1; time <= 20; ++time) {
    own.gather(kGrid, NoteTurn{notes.data(), 1});
    own.device().order().raise(*own.here().stream, {flag.word().word, time});
    co_await own.drained();
    CHECK(flag.value() == time);
  }
}

/// A launch that the device cannot begin yet would keep others from sharing it.
Task<> gather_while_busy(Runtime& runtime) {
  gpu::Stream one = gpu::Stream::shared(), other = gpu::Stream::shared(), third = gpu::Stream::shared();
  gpu::Stream aside;
  gpu::Buffer<int> notes(kSize, one), unused(1, aside);
  const gpu::Flag flag(one);
  one.fill(notes.span(), 0);
  one.wait(flag, 1);
  int turn = 0;
  for (gpu::Stream* stream : {&one, &other, &third}) {
    stream->gather(kGrid, NoteTurn{notes.data(), ++turn});
    aside.fill(unused.span(), 0);
    co_await aside.drained();  // the PE has nothing else to run meanwhile
  }
  aside.raise(flag);
  const Turns turns = co_await turns_of(one, notes);
  CHECK(turns == Turns{1, 3, 2});
  const TransferReport report = co_await runtime.transfers();
  CHECK(report.gathered.kernels == 3);
  CHECK(report.gathered.launches == std::array<std::uint64_t, TransferReport::kLaunchCauses>{1, 0, 0, 1});
}

/// What has been gathered comes before a wait for a payload that is late.
Task<> wait_for_late_payload(Runtime&) {
  gpu::Stream late, own;
  gpu::Flag gate(late);
  gpu::Buffer<int> source(kSize, late);
  late.wait(gate, 1);
  late.gather_each(kSize, AddInto{nullptr, source.data(), 41});
  const Payload<int> payload(std::move(source), late);
  gpu::Buffer<int> first(kSize, own), second(kSize, own);
  own.gather_each(kSize, AddInto{nullptr, first.data(), 1});
  const auto behind_first = own.record();
  own.gather_each(kSize, AddInto{payload.view(own).data(), second.data(), 1});
  co_await own.reached(behind_first);
  gate.raise();
  gpu::Pinned<int> copy(kSize, own);
  own.copy(copy, second.span());
  co_await own.drained();
  CHECK(copy[3] == 42);
}

/// Has a payload come into memory of another stream than it is read on, and frees that at once.
class Lander : public Chare<Lander> {
 public:
  Inbox<int> read;

  Task<int> run() {
    landing_.emplace(kSize, own_);
    own_.fill(landing_->span(), 0);
    gpu::Buffer<int> source(kSize, own_);
    own_.for_each(kSize, AddInto{nullptr, source.data(), 41});
    self().send<&Lander::take>(Payload<int>(std::move(source), own_));
    co_return co_await read.next();
  }
  Task<> take(Payload<int> payload) {
    gpu::Buffer<int> sums(kSize, shared_);
    shared_.gather_each(kSize, AddInto{payload.view(shared_).data(), sums.data(), 1});
    { const Payload<int> gone = std::move(payload); }
    landing_.reset();
    gpu::Pinned<int> copy(kSize, shared_);
    shared_.copy(copy, sums.span());
    co_await shared_.drained();
    self().send<&Lander::read>(copy[3]);
  }
  Landing post(PostFor<&Lander::take>, const Payload<int>&) { return Landing::into(landing_->span(), shared_); }

 private:
  gpu::Stream own_, shared_ = gpu::Stream::shared();
  std::optional<gpu::Buffer<int>> landing_;
};

Task<> free_landing(Runtime& runtime) {
  const auto landers = co_await runtime.create<Lander>(1);
  const int read = co_await landers[0].call<&Lander::run>();
  CHECK(read == 42);
}

/// A ring of elements: each adds to what the one before has made, and hands it on.
struct Handed {
  int step;
  Payload<int> values;
};

class Adder : public Chare<Adder> {
 public:
  Inbox<Handed, &Handed::step> handed;

  Task<int> run(int steps, int count) {
    gpu::Buffer<int> first(kSize, stream_);
    stream_.gather_each(kSize, AddInto{nullptr, first.data(), 0});
    Payload<int> now(std::move(first), stream_);
    for (int step = 0; step < steps; ++step) {
      Handed on{step, std::move(now)};
      array()[(index().x + 1) % count].send<&Adder::handed>(std::move(on));
      Handed got = co_await handed.when(step);
      gpu::Buffer<int> next(kSize, stream_);
      stream_.gather_each(kSize, AddInto{got.values.view(stream_).data(), next.data(), 1});
      now = Payload(std::move(next), stream_);
      if (step % 5 == 4) co_await stream_.drained();
    }
    gpu::Pinned<int> copy(kSize, stream_);
    stream_.copy(copy, now.view(stream_));
    co_await stream_.drained();
    int wrong = 0;
    for (std::size_t i = 0; i < kSize; ++i) wrong += copy[i] != steps;
    co_return wrong;
  }

 private:
  gpu::Stream stream_ = gpu::Stream::shared();
};

Task<> hand_on(Runtime& runtime) {
  const auto adders = co_await runtime.create<Adder>(kAdders);
  const int wrong = co_await adders.call_all<&Adder::run>(sum, 23, kAdders);
  CHECK(wrong == 0);
}

TEST_CASE("gathered kernels of several streams run together, and each stream's in its order", "[device][gathered]") {
  run_on_devices(&gathered::gather_together);
}
TEST_CASE("gathered kernels may be more than one launch takes", "[device][gathered]") {
  run_on_devices(&gathered::gather_many);
}
TEST_CASE("gathered kernels keep their grids", "[device][gathered]") { run_on_devices(&gathered::keep_grids); }
TEST_CASE("what gathered kernels hand on is waited for, between PEs and processes", "[device][gathered]") {
  run_on_devices(&gathered::hand_on);
}
TEST_CASE("kernels are gathered while the launch before them is not over", "[device][gathered]") {
  run_on_devices(&gathered::gather_while_busy);
}
TEST_CASE("who awaits gathered kernels and a flag behind them finds it raised", "[device][gathered]") {
  run_on_devices(&gathered::raise_behind_gathered);
}
TEST_CASE("what is gathered does not wait for a payload that is late", "[device][gathered]") {
  run_on_devices(&gathered::wait_for_late_payload);
}
TEST_CASE("memory of a landing stays until gathered kernels have read it", "[device][gathered]") {
  run_on_devices(&gathered::free_landing);
}

}  // namespace kaon::testing::gathered
