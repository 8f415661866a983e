// SPDX-License-Identifier: Apache-2.0
// Work that others put into streams: libraries, and kernels of the program's own.
#include <string>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/host_queue.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::given {

const gpu::Grid kGrid{{4}, {32}};
constexpr std::size_t kSize = 3000;

/// A library that works on whatever stream it is told of.
void library_fill(gpu::NativeStream stream, int* values, std::size_t count, int value) {
  gpu::enqueue_on_host(stream, [=] { std::fill_n(values, count, value); });
}

class User : public Chare<User> {
 public:
  Task<bool> wait_for_what_is_given() {
    int value = 0;
    stream_.give([](gpu::NativeStream) { FAIL("the emulation has no vendor's stream"); }, [&] { value = 42; });
    co_await stream_.drained();
    co_return value == 42;
  }
  /// Between kernels: each sees what the one before left.
  Task<bool> keep_order() {
    gpu::Buffer<int> values(kSize, stream_);
    bool is_right = true;
    for (int seed = 1; seed < 4; ++seed) {
      stream_.launch(kGrid, WritePattern{values.data(), kSize, seed});
      stream_.give([](gpu::NativeStream) {},
                   [&is_right, seed, data = values.data()] { is_right &= data[0] == seed && data[99] == seed + 99; });
    }
    co_await stream_.drained();
    co_return is_right;
  }
  /// What a library gives to its own stream directly is waited for, and a buffer on it comes back behind that.
  Task<bool> adopt(int seed) {
    const gpu::NativeStream native = stream_.device().driver().make_stream(stream_.device().number());
    bool is_right = true;
    {
      gpu::Stream theirs = gpu::Stream::adopt(native);
      gpu::Buffer<int> values(kSize, theirs);
      library_fill(native, values.data(), kSize, seed);
      co_await theirs.drained();
      is_right &= values.data()[kSize - 1] == seed;
      library_fill(native, values.data(), kSize, seed + 1);
      const gpu::Event event = theirs.record();
      stream_.wait(event);
      stream_.give([](gpu::NativeStream) {}, [&, data = values.data()] { is_right &= data[0] == seed + 1; });
      theirs.wait(stream_.here());
      library_fill(native, values.data(), kSize, seed + 1);
    }  // the buffer goes while the library still writes
    gpu::Buffer<int> other(kSize, stream_);
    stream_.launch(kGrid, WritePattern{other.data(), kSize, seed});
    stream_.give([](gpu::NativeStream) {},
                 [&, data = other.data()] { is_right &= data[0] == seed && data[kSize - 1] == seed + 2999; });
    co_await stream_.drained();
    stream_.device().driver().destroy(native);
    co_return is_right;
  }
  bool adopts_a_stream_once() {
    const gpu::NativeStream native = stream_.device().driver().make_stream(stream_.device().number());
    bool is_same = false;
    {
      const gpu::Stream one = gpu::Stream::adopt(native), two = gpu::Stream::adopt(native);
      is_same = one.here().stream == two.here().stream;
    }
    stream_.device().driver().destroy(native);
    return is_same;
  }
  /// What a stream says on which a library captures a graph: when it is adopted, and when it is used.
  std::vector<std::string> use_while_captured() {
    gpu::Driver& driver = stream_.device().driver();
    const gpu::NativeStream native = driver.make_stream(stream_.device().number());
    std::vector<std::string> said;
    gpu::let_capture_on_host(native, true);
    said.push_back(thrown<UsageError>([&] { gpu::Stream::adopt(native); }));
    gpu::let_capture_on_host(native, false);
    {
      gpu::Stream theirs = gpu::Stream::adopt(native);
      const gpu::Buffer<int> values(kSize, theirs);
      gpu::let_capture_on_host(native, true);
      said.push_back(thrown<UsageError>([&] { theirs.launch(kGrid, WritePattern{values.data(), kSize, 1}); }));
      said.push_back(thrown<UsageError>([&] { theirs.give([](gpu::NativeStream) {}, [] {}); }));
      gpu::let_capture_on_host(native, false);
      theirs.launch(kGrid, WritePattern{values.data(), kSize, 1});
    }
    driver.destroy(native);
    return said;
  }
  std::string give_without_substitute() {
    return thrown<UsageError>([&] { stream_.give([](gpu::NativeStream) {}); });
  }

 private:
  gpu::Stream stream_;
};

}  // namespace kaon::testing::given

namespace kaon::testing {
namespace {

using given::User;

template <auto kEntry, class... Arguments>
Task<> check_each(Runtime& runtime, Arguments... arguments) {
  const int count = static_cast<int>(runtime.pes());
  const auto users = co_await runtime.create<User>(count);
  for (int time = 0; time < 4; ++time)
    for (int i = 0; i < count; ++i) CHECK_AWAITED(users[i].template call<kEntry>(arguments...), true);
}

}  // namespace

TEST_CASE("work that a library gives to a stream is counted", "[device][stream]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&User::wait_for_what_is_given>(runtime); });
}

TEST_CASE("work that is given keeps its place among kernels", "[device][stream]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&User::keep_order>(runtime); });
}

TEST_CASE("a stream of others is waited for, whatever they gave to it", "[device][stream]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&User::adopt>(runtime, 7); });
}

TEST_CASE("a stream of others is one stream, however often it is adopted", "[device][stream]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&User::adopts_a_stream_once>(runtime); });
}

TEST_CASE("a stream on which a library captures a graph is refused by name", "[device][stream][bad input]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto users = co_await runtime.create<User>(1);
    const std::vector<std::string> said = co_await users[0].call<&User::use_while_captured>();
    REQUIRE(said.size() == 3);
    CHECK(has(said[0], "Stream::adopt(): the stream captures a graph"));
    for (const std::string& text : said) CHECK(has(text, "end the capture first"));
  });
}

TEST_CASE("work for a real device alone is refused by the emulation", "[device][stream][bad input]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto users = co_await runtime.create<User>(1);
    const std::string text = co_await users[0].call<&User::give_without_substitute>();
    CHECK(has(text, "give it a second function"));
  });
}

}  // namespace kaon::testing
