// SPDX-License-Identifier: Apache-2.0
// Two processes that make a run of Kaon without devices, and then one with those of KAON_DEVICE, or emulated ones. The
// exit code says whether what they sent each other came.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/device/mixed_node.hpp"

namespace later {  // not unnamed: entries are told apart by their names

constexpr std::size_t kValues = 50'000;

/// What this process and the other say to each other before Kaon comes.
kaon::Peers peers_by(int process, int data, int barrier) {
  const auto gather = [=](const void* own, void* all, std::size_t bytes) {
    auto* const to = static_cast<std::byte*>(all);
    const auto mine = static_cast<std::size_t>(process) * bytes, other = bytes - mine;
    std::copy_n(static_cast<const std::byte*>(own), bytes, to + mine);
    if (write(data, own, bytes) != static_cast<ssize_t>(bytes)) std::abort();
    if (recv(data, to + other, bytes, MSG_WAITALL) != static_cast<ssize_t>(bytes)) std::abort();
  };
  const auto enter = [=] {
    if (write(barrier, "b", 1) != 1) std::abort();
  };
  const auto is_over = [=] {
    char byte = 0;
    return recv(barrier, &byte, 1, MSG_DONTWAIT) == 1;
  };
  return {.process = process,
          .processes = 2,
          .gather = gather,
          .enter_barrier = enter,
          .is_barrier_over = is_over,
          .abort = {}};
}

class Adder : public kaon::Chare<Adder> {
 public:
  int add(int value) { return value + index().x; }
};

class Receiver : public kaon::Chare<Receiver> {
 public:
  kaon::Task<int> take(kaon::Payload<int> payload) {
    kaon::gpu::Stream stream;
    const bool is_good = co_await kaon::testing::is_right(stream, std::move(payload), kValues, 3);
    co_return is_good ? 1 : 0;
  }
  kaon::Task<int> give() {
    kaon::gpu::Stream stream;
    kaon::Payload<int> payload = kaon::testing::made_on(stream, kValues, 3);
    const int taken = co_await array()[1 - index().x].call<&Receiver::take>(std::move(payload));
    co_return taken;
  }
};

kaon::Task<int> run_on_hosts(kaon::Runtime& runtime) {
  const auto adders = co_await runtime.create<Adder>(static_cast<int>(runtime.pes()));
  co_return co_await adders.call_all<&Adder::add>(kaon::sum, 1);
}

kaon::Task<int> run_on_devices(kaon::Runtime& runtime) {
  const auto receivers = co_await runtime.create<Receiver>(static_cast<int>(runtime.pes()));
  co_return co_await receivers.call_all<&Receiver::give>(kaon::sum);
}

int run_both(const kaon::Peers& peers, const char* backend) {
  kaon::Options options;
  options.pes = 1;
  const int added = kaon::Session(options, peers).run_once(run_on_hosts);
  options.device = backend;
  const int taken = kaon::Session(options, peers).run_once(run_on_devices);
  std::printf("process %d: %d added, %d taken\n", peers.process, added, taken);
  return added == 3 && taken == 2 ? 0 : 1;
}

}  // namespace later

namespace {

int run_process(int process, int data, int barrier) {
  const char* const named = std::getenv("KAON_DEVICE");
  return later::run_both(later::peers_by(process, data, barrier), named != nullptr ? named : "host");
}

// Another program in its memory: UCX asks of a peer whether its memory can be read by reading what it has at an address
// of this process's stack, which of a mere copy is a stack, too, and comes over its own.
[[noreturn]] void become_other(int data, int barrier) {
  execl("/proc/self/exe", "device_later_program", std::to_string(data).c_str(), std::to_string(barrier).c_str(),
        nullptr);
  std::abort();
}

}  // namespace

int main(int count, char** words) {
  if (count == 3) return run_process(1, std::atoi(words[1]), std::atoi(words[2]));
  std::array<int, 2> data{}, barrier{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, data.data()) != 0) return 2;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, barrier.data()) != 0) return 2;
  const pid_t child = fork();
  if (child < 0) return 2;
  const std::size_t end = child == 0 ? 1 : 0;
  for (const int other : {data[1 - end], barrier[1 - end]}) close(other);  // who waits hears that the other has ended
  if (child == 0) become_other(data[end], barrier[end]);
  const int code = run_process(0, data[end], barrier[end]);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  return code;
}
