// SPDX-License-Identifier: Apache-2.0
// For a test that kills one of its two processes: `busy MIB` sends a payload to and fro for ever; with `asleep MIB` a
// payload waits for a slow kernel, and its receiver sleeps. Says "ready PROCESS pid PID" when it has come so far.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/pattern_kernels.hpp"

namespace endless {

class Node : public kaon::Chare<Node> {
 public:
  void bounce(kaon::Payload<int> values) {
    if (++times_ == 3) say_ready();
    other().send<&Node::bounce>(std::move(values));
  }
  void start(std::size_t count) {
    kaon::gpu::Buffer<int> buffer(count, stream_);
    stream_.fill(buffer.span(), 1);
    other().send<&Node::bounce>(kaon::Payload<int>(std::move(buffer), stream_));
  }

  void dawdle(std::size_t count) {
    constexpr int kKernels = 20;  // each takes seconds
    constexpr long kRounds = 2'000'000'000;
    kaon::gpu::Buffer<int> buffer(count, stream_);
    kaon::gpu::Buffer<double> cell(1, stream_);
    for (int i = 0; i < kKernels; ++i) stream_.launch({}, kaon::testing::Dawdle{cell.data(), kRounds});
    other().send<&Node::sleep>(kaon::Payload<int>(std::move(buffer), stream_));
    say_ready();
  }
  void sleep(kaon::Payload<int>) { std::puts("the payload came before its kernel ended"); }
  kaon::Landing post(kaon::PostFor<&Node::sleep>, const kaon::Payload<int>&) {
    say_ready();
    return kaon::Landing::pooled();
  }

 private:
  static void say_ready() {
    std::printf("ready %d pid %d\n", kaon::this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
  }
  kaon::Element<Node> other() { return array()[1 - index().x]; }

  int times_ = 0;
  kaon::gpu::Stream stream_;
};

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const auto nodes = co_await runtime.create<Node>(2);
  const std::size_t count = std::stoul(arguments.at(1)) << 18;
  if (arguments.at(0) == "busy")
    nodes[0].send<&Node::start>(count);
  else
    nodes[0].send<&Node::dawdle>(count);
  co_await runtime.sleep_for(std::chrono::minutes(5));
  co_return 0;
}

}  // namespace endless

int main(int argc, char** argv) { return kaon::run(argc, argv, endless::run, kaon::with_devices); }
