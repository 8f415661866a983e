// SPDX-License-Identifier: Apache-2.0
// Who may touch memory and streams when: what the host writes, what lands on another stream, what others' threads use.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::ownership {

constexpr std::size_t kSize = 2000;
const gpu::Grid kGrid{4, 32};
std::vector<std::string> refusals;

void run_with_seeds(Scene::MainTask main_task) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = {1, 2};
    settings.seed = seed;
    DeviceScene scene(settings);
    CAPTURE(seed);
    scene.run(main_task);
    scene.network().run_until_idle();
  }
}

// The host writes pinned memory at once, while the copy from one that has ended is still to come.
gpu::Buffer<int> uploaded(gpu::Stream& stream, int value) {
  gpu::Pinned<int> on_host(kSize, stream);
  std::fill(on_host.span().begin(), on_host.span().end(), value);
  gpu::Buffer<int> buffer(kSize, stream);
  stream.copy(buffer.span(), on_host);
  return buffer;
}

Task<> upload_several(Runtime&) {
  gpu::Stream stream;
  std::vector<gpu::Buffer<int>> buffers;
  for (int value = 0; value < 5; ++value) buffers.push_back(uploaded(stream, value));
  for (int value = 0; value < 5; ++value) {
    gpu::Pinned<int> copy(kSize, stream);
    stream.copy(copy, buffers[static_cast<std::size_t>(value)].span());
    co_await stream.drained();
    CHECK(std::count(copy.span().begin(), copy.span().end(), value) == static_cast<long>(kSize));
  }
}

// Ends a buffer of one stream into which a payload is still being copied on another.
class Lander : public Chare<Lander> {
 public:
  void give(Element<Lander> to) { to.send<&Lander::take>(made_on(stream_, kSize, 1000)); }
  Task<> take(Payload<int>) {
    landing_ = {};
    gpu::Buffer<int> next(kSize, stream_);  // where the landing was
    stream_.launch(kGrid, WritePattern{next.data(), kSize, 5});
    right = co_await is_right(stream_, Payload<int>(std::move(next), stream_), kSize, 5);
  }
  Landing post(PostFor<&Lander::take>, const Payload<int>&) {
    for (int i = 0; i < 3; ++i) other_.launch(kGrid, WritePattern{slow_.data(), kSize, i});
    return Landing::into(landing_.span(), other_);
  }
  static inline bool right = false;

 private:
  gpu::Stream stream_, other_;
  gpu::Buffer<int> slow_{kSize, other_};
  gpu::Buffer<int> landing_{kSize, stream_};
};

Task<> land_elsewhere(Runtime& runtime) {
  Lander::right = false;
  const auto landers = co_await runtime.create<Lander>(2);
  co_await landers[1].call<&Lander::give>(landers[0]);
  co_await runtime.quiescence();
  CHECK(Lander::right);
}

// Gives a buffer, into which a payload was copied on another stream, to another PE, which reads it and lets it go.
class Returner : public Chare<Returner> {
 public:
  void give(Element<Returner> to) { to.send<&Returner::take>(made_on(stream_, kSize, 1000)); }
  Task<> take(Payload<int>) {
    co_await other_.drained();
    array()[1].send<&Returner::use>(Payload<int>(std::move(landing_), stream_));
  }
  Landing post(PostFor<&Returner::take>, const Payload<int>&) { return Landing::into(landing_.span(), other_); }
  Task<> use(Payload<int> values) {
    gpu::Buffer<int> read(kSize, stream_);
    for (int i = 0; i < 3; ++i) stream_.launch(kGrid, WritePattern{read.data(), kSize, i});
    stream_.copy(read.span(), values.view(stream_));
    values = {};
    std::vector<gpu::Buffer<int>> next;  // one of them where they were
    for (int i = 0; i < 8; ++i) {
      next.emplace_back(kSize, other_);
      other_.launch(kGrid, WritePattern{next.back().data(), kSize, 5});
    }
    right = co_await is_right(stream_, Payload<int>(std::move(read), stream_), kSize, 1000);
  }
  static inline bool right = false;

 private:
  gpu::Stream stream_, other_;
  gpu::Buffer<int> landing_{kSize, stream_};
};

Task<> return_landing(Runtime& runtime) {
  Returner::right = false;
  const auto returners = co_await runtime.create<Returner>(2);
  co_await returners[1].call<&Returner::give>(returners[0]);
  co_await runtime.quiescence();
  CHECK(Returner::right);
}

class Borrower : public Chare<Borrower> {
 public:
  void lend() { lent = &stream_; }
  void use() {
    gpu::Stream own;
    gpu::Buffer<int> memory(1, own);
    gpu::Pinned<int> on_host(1, own);
    const std::vector<std::function<void()>> uses{[&] { lent->fill(memory.span(), 0); },
                                                  [&] { lent->copy(memory.span(), memory.span()); },
                                                  [&] { lent->copy(on_host, memory.span()); },
                                                  [&] {
                                                    lent->launch(kGrid, WritePattern{memory.data(), 1, 0});
                                                  },
                                                  [&] { lent->give([](gpu::NativeStream) {}, [] {}); },
                                                  [&] { static_cast<void>(lent->here()); },
                                                  [&] { lent->record(); },
                                                  [&] { lent->wait(own.here()); },
                                                  [&] { static_cast<void>(lent->reached({})); },
                                                  [&] { static_cast<void>(lent->drained()); },
                                                  [&] { memory.move_to(*lent); },
                                                  [&] { gpu::Buffer<int>(1, *lent); },
                                                  [&] { gpu::Pinned<int>(1, *lent); },
                                                  [&] { Landing::into(memory.span(), *lent); },
                                                  [&] { Payload<int>(gpu::Buffer<int>(1, own), *lent); },
                                                  [&] { Payload<int>(gpu::Buffer<int>(1, own), own).view(*lent); }};
    refusals.clear();
    for (const auto& use : uses) refusals.push_back(thrown<UsageError>(use));
  }
  static inline gpu::Stream* lent = nullptr;

 private:
  gpu::Stream stream_;
};

Task<> borrow(Runtime& runtime) {
  const auto borrowers = co_await runtime.create_group<Borrower>();
  co_await borrowers[0].call<&Borrower::lend>();
  co_await borrowers[1].call<&Borrower::use>();
}

class Reader : public Chare<Reader> {
 public:
  void read(const Payload<int>& values) { stream_.copy(copy_, values.view(stream_)); }
  Task<int> last() {
    co_await stream_.drained();
    co_return copy_[kSize - 1];
  }

 private:
  gpu::Stream stream_;
  gpu::Pinned<int> copy_{kSize, stream_};
};

Task<> read_only(Runtime& runtime) {
  const auto readers = co_await runtime.create<Reader>(2);
  gpu::Stream stream;
  readers[1].send<&Reader::read>(made_on(stream, kSize, 7));
  co_await runtime.quiescence();
  const int last = co_await readers[1].call<&Reader::last>();
  CHECK(last == 6 + static_cast<int>(kSize));
}

// The second error, of the registration that ends on the way out, must not hide the first.
Task<> wait_too_late(Runtime& runtime) {
  const auto landers = co_await runtime.create<Lander>(2);
  gpu::Stream stream;
  const gpu::Buffer<int> memory(kSize, stream);
  const gpu::Registration registration(memory.data(), memory.size_bytes());
  Payload<int> payload(registration.part<int>(0, kSize), stream);
  landers[1].send<&Lander::take>(std::move(payload));
  const Sent sent(payload);
  co_await sent;
}

TEST_CASE("pinned memory that the host gets is not in use any more", "[device][ownership]") {
  ownership::run_with_seeds(ownership::upload_several);
}

TEST_CASE("a buffer comes back when what landed in it on another stream is there", "[device][ownership]") {
  ownership::run_with_seeds(ownership::land_elsewhere);
}

TEST_CASE("a landing's buffer that another PE was given comes back when that has read it", "[device][ownership]") {
  ownership::run_with_seeds(ownership::return_landing);
}

TEST_CASE("an entry may take a payload by reference and read it", "[device][ownership]") {
  ownership::run_with_seeds(ownership::read_only);
}

TEST_CASE("a stream of another PE is refused", "[device][ownership]") {
  ownership::run_with_seeds(ownership::borrow);
  REQUIRE(ownership::refusals.size() == 16);
  for (const std::string& refusal : ownership::refusals)
    CHECK(has(refusal, "a gpu::Stream of PE 0 was used by another thread"));
}

TEST_CASE("of two errors the first is told", "[device][ownership]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  DeviceScene scene(settings);
  CHECK(has(thrown<UsageError>([&] { scene.run(ownership::wait_too_late); }), "make the Sent before the send"));
}

}  // namespace kaon::testing::ownership
