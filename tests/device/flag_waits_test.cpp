// SPDX-License-Identifier: Apache-2.0
// threads: PEs, streams and the threads of devices, in programs of several processes
// Streams that wait for flags hold up nothing but what was given to them.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/flag_waiters.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kaonrun_command.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing {
namespace left_streams {

/// Lets payloads land in the order of a stream whose owner destroys it before they come.
class Lander : public Chare<Lander> {
 public:
  static constexpr std::size_t kSize = 64;
  Task<> land(Payload<int> payload) {
    gpu::Pinned<int> copy(kSize, stream_);
    stream_.copy(copy, payload.view(stream_));
    co_await stream_.drained();
    array()[0].send<&Lander::came>(copy[0]);
  }
  Landing post(PostFor<&Lander::land>, const Payload<int>&) {
    gpu::Device& device = stream_.device();
    const gpu::NativeStream native = device.driver().make_stream(device.number());
    Landing landing;
    {
      gpu::Stream theirs = gpu::Stream::adopt(native);
      theirs.wait(stream_.here());  // which has the memory
      theirs.fill(memory_.span(), 7);
      landing = Landing::into(memory_.span(), theirs);
    }
    device.driver().destroy(native);
    return landing;
  }
  Task<bool> send_to(int other) {
    gpu::Buffer<int> memory(kSize, stream_);
    stream_.fill(memory.span(), 3);
    array()[other].send<&Lander::land>(Payload<int>(std::move(memory), stream_));
    const int value = co_await came.next();
    co_return value == 0x03030303;
  }
  Inbox<int> came;

 private:
  gpu::Stream stream_;
  gpu::Buffer<int> memory_{kSize, stream_};
};

Task<> land_on_left_streams(Runtime& runtime) {
  const int count = static_cast<int>(runtime.pes());
  const auto landers = co_await runtime.create<Lander>(count);
  for (int other = 0; other < count; ++other) {
    const bool is_right = co_await landers[0].call<&Lander::send_to>(other);
    CHECK(is_right);
  }
}

/// The word of a flag that has ended is the next flag's.
Task<> end_flags_before_streams_look(Runtime&) {
  gpu::Stream base, raising;
  for (int i = 0; i < 20; ++i) {
    const gpu::Flag flag(base);
    {
      gpu::Stream left;
      left.wait(flag, 1);
    }
    raising.raise(flag);
    co_await raising.drained();
  }
}

}  // namespace left_streams
namespace {

/// Whether the task ends by itself; if not, the flag is raised so that all ends.
bool ends(const DeviceSceneSettings& settings, Scene::MainTask task) {
  DeviceScene scene(settings);
  bool has_ended = false;
  waiters::open_flag = nullptr;
  scene.scene().start([&](Runtime& runtime) -> Task<> {
    co_await task(runtime);
    has_ended = true;
  });
  const auto is_over = [&] { return has_ended || scene.scene().all_ended(); };
  const bool by_itself = scene.network().run_until(is_over, 20'000);
  if (!by_itself && waiters::open_flag != nullptr) waiters::open_flag->raise();
  CHECK(scene.network().run_until(is_over));
  scene.scene().rethrow();
  scene.network().run_until_idle();
  return by_itself;
}

DeviceSceneSettings shaped(const Network::Shape& shape, std::uint64_t seed) {
  DeviceSceneSettings settings;
  settings.shape = shape;
  settings.seed = seed;
  return settings;
}

constexpr std::uint64_t kSeeds = 6;

const std::string kFlags = test_program("device_flags_program");

void check_program(const std::string& processes, const std::string& pes, const std::string& kind,
                   const std::vector<std::string>& options = {}) {
  const std::vector<std::string> command = kaonrun_command(processes, pes, kFlags, kind, options);
  const ProgramRun run = run_program(command);
  CAPTURE(command, run.text);
  CHECK(run.code == 0);
}

}  // namespace

TEST_CASE("a flag may end when it was raised, though a stream that was let go has not looked", "[device][flag]") {
  run_on_devices(&left_streams::end_flags_before_streams_look);
}

TEST_CASE("a stream that is let go while it waits for a flag is no other's before that is raised", "[device][flag]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) CHECK(ends(shaped({1, 1}, seed), waiters::let_go_while_waiting));
}

TEST_CASE("a payload viewed on a stream that waits for a flag holds up none that is handed to its PE",
          "[device][flag]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    CHECK(ends(shaped({1, 2}, seed), waiters::hand_over_a_late_and_a_ready_one));
}

TEST_CASE("a borrowed payload that is sent on holds up none that is fetched", "[device][flag]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    CHECK(ends(shaped({3, 1}, seed), waiters::send_on_what_a_late_stream_reads));
}

TEST_CASE("a payload whose stream waits for a flag holds up none that is ready, whichever way they go",
          "[device][flag]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const auto& [stages, by_network, fetches] : {std::tuple(false, false, true), std::tuple(false, false, false),
                                                      std::tuple(true, false, false), std::tuple(true, true, false)}) {
      DeviceSceneSettings settings = shaped({2, 1}, seed);
      settings.stages_all = stages;
      settings.stages_through_network = by_network;
      settings.fetches = fetches;
      CAPTURE(seed, stages, by_network, fetches);
      CHECK(ends(settings, waiters::send_a_late_and_a_ready_one));
    }
}

TEST_CASE("a payload lands in the order of an adopted stream whose owner has destroyed it", "[device][stream]") {
  run_on_devices(left_streams::land_on_left_streams);
}

TEST_CASE("a landing's stream does not wait for the flag of its buffer's stream when the buffer is freed",
          "[device][flag]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) CHECK(ends(shaped({1, 1}, seed), waiters::free_what_has_landed));
}

TEST_CASE("what is ready does not stand behind streams that wait for flags", "[device][flag][outside]") {
  check_program("1", "1", "let-go");
  check_program("1", "1", "free");
  check_program("1", "2", "hand-over");
  check_program("3", "1", "send-on");
  check_program("2", "1", "send");
  check_program("2", "1", "send", {"--transport", "staged"});
  const Variable way("KAON_TESTING", "stage_through=network");
  check_program("2", "1", "send", {"--transport", "staged"});
}

TEST_CASE("what is ready goes on although all but one of a device's queues are taken", "[device][flag]") {
  const Variable queues("KAON_HOST_DEVICE", "queues=4");
  check_program("1", "1", "let-go");
  check_program("1", "1", "free");
  check_program("1", "2", "hand-over");
  check_program("3", "1", "send-on");
  check_program("2", "1", "send");
}

}  // namespace kaon::testing
