// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Flags that payloads raise when they have landed, and who waits for flags.
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/arrival_node.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::arrival {

Task<> check_rounds(Runtime& runtime) {
  const std::uint32_t wrong = co_await add_rounds(runtime);
  CHECK(wrong == 0);
}

Task<> check_waits(Runtime& runtime) {
  const double wrong = co_await wait_for_payloads(runtime);
  CHECK(wrong == 0);
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
  run_on_devices(arrival::check_rounds);
}

TEST_CASE("tasks and streams wait for the flags of payloads", "[device][flag]") {
  run_on_devices(arrival::check_waits);
}

TEST_CASE("flags pass from kernels to streams to tasks", "[device][flag]") { run_on_devices(arrival::pass_on); }

TEST_CASE("other threads wait for flags and raise them", "[device][flag]") { run_on_devices(arrival::wait_on_threads); }

TEST_CASE("the wait for a flag may be given up", "[device][flag]") { run_on_devices(arrival::give_up); }

TEST_CASE("a flag is refused where nothing would raise it", "[device][flag]") { run_on_devices(arrival::refuse); }

TEST_CASE("a resident scheduler may end before a payload raises its flag", "[device][flag]") {
  run_on_devices(arrival::desert);
}

TEST_CASE("payloads of other processes raise flags", "[device][flag][outside]") {
  for (const auto& [processes, pes] : {std::pair("2", "1"), std::pair("1", "2")}) {
    const ProgramRun run = run_program({program("kaonrun"), "-n", processes, test_program("device_arrival_program"),
                                        "--pes", pes, "--device", device_choice()});
    CAPTURE(processes, pes, run.text);
    CHECK(run.code == 0);
  }
}

}  // namespace kaon::testing
