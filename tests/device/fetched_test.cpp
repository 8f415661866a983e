// SPDX-License-Identifier: Apache-2.0
// Payloads within a host that are read where they lie, in the memory of their sender's device, or fetched from there.
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/gpu/engines/fetch.kernels.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace fetched {

constexpr std::size_t kSize = 1000;

enum class Use : int { let_go, keep, view_twice, hand_on };

/// Gives payloads to others, and keeps what it gets as long as it is told to.
class Reader : public Chare<Reader> {
 public:
  using Values = Payload<int>;

  Task<> take(Use use, int seed, Values values) {
    ++taken_;
    if (use == Use::hand_on) {
      const PeId next = (index().x + 1) % array().shape().x;
      of(next).send<&Reader::take>(Use::let_go, seed, std::move(values));
    } else {
      const int* const first = values.view(stream_).data();
      good_ += co_await has(gpu::Span<const int>(first, values.size()), seed);
      if (use == Use::view_twice) {
        const gpu::Span<const int> again = values.view(stream_);
        good_ += co_await has(again, seed);
        nearer_ += again.data() != first;
      }
      if (use != Use::let_go) kept_.push_back(std::move(values));
    }
  }
  Task<> take_bytes(Payload<std::uint8_t> bytes) {
    gpu::Pinned<std::uint8_t> seen(bytes.size(), stream_);
    stream_.copy(seen, bytes.view(stream_));
    co_await stream_.drained();
    for (std::size_t i = 0; i < bytes.size(); ++i) good_ += seen[i] == i % 251;
  }
  Landing post(PostFor<&Reader::take_bytes>, const Payload<std::uint8_t>& bytes) {
    landed_.emplace(bytes.size() + 1, stream_);
    return Landing::into(landed_->span().subspan(1, bytes.size()), stream_);  // nothing there is aligned
  }

  void give(PeId to, Use use, int count) {
    for (int i = 0; i < count; ++i) of(to).send<&Reader::take>(use, i, made_on(stream_, kSize, i));
  }
  void give_bytes(PeId to, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
    gpu::Buffer<std::uint8_t> buffer(count, stream_);
    gpu::Pinned<std::uint8_t> pinned(count, stream_);
    std::copy(bytes.begin(), bytes.end(), pinned.span().data());
    stream_.copy(buffer.span(), pinned);
    of(to).send<&Reader::take_bytes>(Payload(std::move(buffer), stream_));
    pinned_.push_back(std::move(pinned));
  }
  /// Waits for the memory of what it gives.
  Task<int> give_and_wait(PeId to) {
    Values values = made_on(stream_, kSize, 5);
    Sent sent(values);
    of(to).send<&Reader::take>(Use::keep, 5, std::move(values));
    co_await sent;
    co_return 1;
  }
  void let_go() { kept_.clear(); }
  int good() const { return good_; }
  int nearer() const { return nearer_; }
  int taken() const { return taken_; }

 private:
  Element<Reader> of(PeId pe) { return array()[static_cast<int>(pe)]; }
  Task<int> has(gpu::Span<const int> values, int seed) {
    gpu::Pinned<int> seen(values.size(), stream_);
    stream_.copy(seen, values);
    co_await stream_.drained();
    std::vector<int> expected(kSize);
    std::iota(expected.begin(), expected.end(), seed);
    co_return std::equal(expected.begin(), expected.end(), seen.span().data()) ? 1 : 0;
  }

  gpu::Stream stream_;
  std::vector<Values> kept_;
  std::vector<gpu::Pinned<std::uint8_t>> pinned_;
  std::optional<gpu::Buffer<std::uint8_t>> landed_;
  int good_ = 0, taken_ = 0, nearer_ = 0;
};

Task<> expect(const Group<Reader>& readers, int good) {
  const int seen = co_await readers.call_all<&Reader::good>(kaon::sum);
  CHECK(seen == good);
}

/// PE 0 gives so many payloads.
Task<> give(Runtime& runtime, PeId to, Use use, int count) {
  const auto readers = co_await runtime.create_group<Reader>();
  readers[0].send<&Reader::give>(to, use, count);
  co_await runtime.quiescence();
  co_await expect(readers, count);
}

/// Runs and leaves what the PEs have to be looked at.
struct Run {
  DeviceScene scene;
  template <class Main>
  explicit Run(Main main_task, const DeviceSceneSettings& settings = {}) : scene(settings) {
    scene.run(main_task);
  }
  const runtime::TransferReport::Count& count(PeId pe, Route route) {
    return scene.network().pe(pe).exchange().transfers()[route];
  }
  /// Payloads of a PE whose memory their receivers keep.
  std::size_t lent(PeId pe) { return scene.payloads(pe).engines().fetched().lent(); }
};

}  // namespace fetched

using namespace fetched;

TEST_CASE("payloads within a host are read where their sender has them, which gets the memory back",
          "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  Run run(
      +[](Runtime& runtime) -> Task<> {
        const auto readers = co_await runtime.create_group<Reader>();
        for (PeId from : {0U, 1U}) readers[from].send<&Reader::give>(1 - from, Use::let_go, 100);
        co_await runtime.quiescence();
        co_await expect(readers, 200);
      },
      settings);
  for (PeId pe : {0U, 1U}) {
    CHECK(run.count(pe, Route::fetched).payloads == 100);
    CHECK(run.count(pe, Route::direct).payloads == 0);
  }
}

TEST_CASE("a run ends while payloads are kept where they were read", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  Run run(
      +[](Runtime& runtime) { return give(runtime, 1U, Use::keep, 10); }, settings);
  CHECK(run.lent(0) == 10);
  CHECK_FALSE(run.scene.payloads(0).engines().is_moving());  // which the end of a run waits for
}

TEST_CASE("what was kept where it was read goes back when its holder lets go", "[device][fetched]") {
  Run run(+[](Runtime& runtime) -> Task<> {
    const auto readers = co_await runtime.create_group<Reader>();
    readers[0].send<&Reader::give>(1U, Use::keep, 10);
    co_await runtime.quiescence();
    readers[1].send<&Reader::let_go>();
    co_await runtime.quiescence();
    readers[0].send<&Reader::give>(1U, Use::let_go, 1);  // its PE has looked since
    co_await runtime.quiescence();
    co_await expect(readers, 11);
  });
  CHECK(run.lent(0) <= 1);
}

TEST_CASE("what is viewed again is copied, and its sender's memory goes back when its holder lets go",
          "[device][fetched]") {
  Run run(+[](Runtime& runtime) -> Task<> {
    const auto readers = co_await runtime.create_group<Reader>();
    readers[0].send<&Reader::give>(1U, Use::view_twice, 10);
    co_await runtime.quiescence();
    readers[1].send<&Reader::let_go>();
    co_await runtime.quiescence();
    readers[0].send<&Reader::give>(1U, Use::let_go, 1);
    co_await runtime.quiescence();
    const int nearer = co_await readers.call_all<&Reader::nearer>(kaon::sum);
    CHECK(nearer == 10);
    co_await expect(readers, 21);
  });
  CHECK(run.lent(0) <= 1);
}

TEST_CASE("a sender that waits for its memory gets it though its receiver keeps the payload", "[device][fetched]") {
  Run run(+[](Runtime& runtime) -> Task<> {
    const auto readers = co_await runtime.create_group<Reader>();
    const int freed = co_await readers[0].call<&Reader::give_and_wait>(1U);
    CHECK(freed == 1);
    co_await runtime.quiescence();
    co_await expect(readers, 1);
  });
  CHECK(run.count(0, Route::fetched).payloads == 1);
  CHECK(run.lent(0) == 0);
}

TEST_CASE("what was read elsewhere goes on to a third process", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.shape = {3, 1};
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  Run run(
      +[](Runtime& runtime) { return give(runtime, 1U, Use::hand_on, 10); }, settings);
  CHECK(run.count(0, Route::fetched).payloads == 10);
  CHECK(run.count(1, Route::fetched).payloads == 10);
}

TEST_CASE("what was read elsewhere is handed to another PE of the process", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.shape = {2, 2};
  settings.devices = GENERATE(1, 2);
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  Run run(
      +[](Runtime& runtime) { return give(runtime, 2U, Use::hand_on, 10); }, settings);  // and from there to 3
  CHECK(run.count(0, Route::fetched).payloads == 10);
}

TEST_CASE("who keeps more than a sender may lend gets the others by the network", "[device][fetched]") {
  Run run(+[](Runtime& runtime) { return give(runtime, 1U, Use::keep, 700); });
  CHECK(run.count(0, Route::fetched).payloads == 512);
  CHECK(run.count(0, Route::direct).payloads == 188);
  CHECK(run.lent(0) == 256);  // of the others it has copies
}

TEST_CASE("a receiver that keeps all it gets leaves room for payloads to others", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.shape = {3, 1};
  Run run(
      +[](Runtime& runtime) -> Task<> {
        const auto readers = co_await runtime.create_group<Reader>();
        for (const int count : {512, 100}) {
          readers[0].send<&Reader::give>(1U, Use::keep, count);
          co_await runtime.quiescence();
        }
        readers[0].send<&Reader::give>(2U, Use::keep, 100);
        co_await runtime.quiescence();
        co_await expect(readers, 712);
      },
      settings);
  CHECK(run.count(0, Route::fetched).payloads == 712);
  CHECK(run.lent(0) == 256 + 100);
}

TEST_CASE("payloads of any size are fetched into any place", "[device][fetched]") {
  Run run(+[](Runtime& runtime) -> Task<> {
    const auto readers = co_await runtime.create_group<Reader>();
    int bytes = 0;
    for (const int count : {1, 3, 4, 17, 1000, 4097, 100'001}) {
      readers[0].send<&Reader::give_bytes>(1U, static_cast<std::size_t>(count));
      co_await runtime.quiescence();
      bytes += count;
    }
    co_await expect(readers, bytes);
  });
  CHECK(run.count(0, Route::fetched).payloads == 7);
}

TEST_CASE("a grid that fetches has blocks for what they have to do", "[device][fetched]") {
  CHECK(gpu::fetch_grid(1).blocks.volume() == 1);
  CHECK(gpu::fetch_grid(std::size_t{16} << 10).blocks.volume() == 1);
  CHECK(gpu::fetch_grid((std::size_t{16} << 10) + 1).blocks.volume() == 2);
  CHECK(gpu::fetch_grid(std::size_t{1} << 30).blocks.volume() == 64);
}

}  // namespace kaon::testing
