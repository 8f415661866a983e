// SPDX-License-Identifier: Apache-2.0
#include <poll.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "kaon/runtime/base/error.hpp"
#include "tests/machine_ucx/machines.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/variable.hpp"

using namespace kaon::testing;

namespace {

bool is_readable(int fd, int timeout_ms) {
  pollfd entry{fd, POLLIN, 0};
  return poll(&entry, 1, timeout_ms) == 1;
}

// Progresses until there is nothing left to do before sleeping.
void arm(Port& port) {
  for (int i = 0; i < 100000; ++i) {
    if (port.arm()) return;
    port.progress();
  }
  FAIL("the port never came to rest");
}

}  // namespace

TEST_CASE("an armed port is woken by a batch", "[machine_ucx][port]") {
  const auto carrier = GENERATE(HostCarrier::tagged, HostCarrier::active);
  Machines machines(carrier);
  machines.send(0, 1, Lane::data, pattern(8));  // connected from here on
  machines.until([&] { return machines.client(1).batches.size() == 1; });
  for (int round = 0; round < 3; ++round) {
    arm(machines.port(1));
    CHECK_FALSE(is_readable(machines.port(1).event_fd(), 0));
    const auto before = machines.client(1).batches.size();
    Done done;
    const auto bytes = pattern(8);
    CHECK(machines.port(0).send_batch(1, Lane::data, bytes, done));
    REQUIRE(is_readable(machines.port(1).event_fd(), 10000));
    machines.until([&] { return machines.client(1).batches.size() == before + 1; });
  }
}

TEST_CASE("an armed port is woken by the very first batch of a peer", "[machine_ucx][port]") {
  Machines machines(HostCarrier::tagged);
  arm(machines.port(1));
  Done done;
  const auto bytes = pattern(8);
  const bool is_free = machines.port(0).send_batch(1, Lane::data, bytes, done);
  for (int i = 0; i < 1000; ++i) machines.port(0).progress();
  REQUIRE(is_readable(machines.port(1).event_fd(), 10000));
  machines.until([&] { return machines.client(1).batches.size() == 1 && (is_free || done.times == 1); });
}

TEST_CASE("a port with a finished transfer to report does not let its PE sleep", "[machine_ucx][port]") {
  Machines machines(HostCarrier::tagged);
  auto data = pattern(1 << 20);
  std::vector<std::byte> landing(data.size());
  Done sent, received;
  CHECK_FALSE(machines.port(0).send_payload(1, 1, memory(data), sent));
  for (int i = 0; i < 1000; ++i) machines.port(1).progress();
  const bool is_here = machines.port(1).receive_payload(0, 1, memory(landing), received);
  // UCX fetches inside the call where one process may read the other's memory; then the completion waits for progress.
  while (!is_here && received.times == 0) {
    if (machines.port(1).arm()) REQUIRE(received.times == 0);
    machines.port(0).progress();
    machines.port(1).progress();
  }
  machines.until([&] { return !machines.port(0).is_sending(); });
  CHECK(landing == data);
}

TEST_CASE("a port that has more to report than it has reported does not let its PE sleep", "[machine_ucx][port]") {
  Machines machines(HostCarrier::tagged);
  Port& port = machines.port(1);
  std::vector<bool> armed;  // at each batch
  machines.client(1).on_batch = [&] { armed.push_back(port.arm()); };
  machines.send(0, 1, Lane::data, pattern(8));  // connected from here on
  machines.until([&] { return armed.size() == 1; });
  bool has_seen_several = false;
  for (int round = 0; round < 1000 && !has_seen_several; ++round) {
    for (unsigned i = 0; i < 4; ++i) machines.send(0, 1, Lane::data, pattern(8, i));
    armed.clear();
    machines.until([&] { return !armed.empty(); });
    // What one call reports had all finished before the first of it was reported.
    for (std::size_t i = 0; i + 1 < armed.size(); ++i) REQUIRE_FALSE(armed[i]);
    has_seen_several = armed.size() > 1;
    const std::size_t total = machines.client(1).batches.size() + 4 - armed.size();
    machines.until([&] { return machines.client(1).batches.size() == total; });
  }
  CHECK(has_seen_several);
  machines.client(1).on_batch = [] {};
}

TEST_CASE("a port ends while nobody takes what it has sent", "[machine_ucx][teardown]") {
  auto data = pattern(1 << 20);
  std::vector<std::byte> landing(1000);
  Done sent, received;
  {
    Machines machines(HostCarrier::tagged);
    {
      const IgnoreLeaks of_ucx;  // an unfinished rendezvous loses its memory handle when the endpoint is closed
      CHECK_FALSE(machines.port(0).send_payload(1, 1, memory(data), sent));
    }
    CHECK_FALSE(machines.port(1).receive_payload(0, 2, memory(landing), received));
    CHECK(machines.port(0).is_sending());
    for (int i = 0; i < 100; ++i) machines.port(1).progress();
  }
  CHECK(sent.times == 0);
  CHECK(received.times == 0);
}

TEST_CASE("batches that nobody has taken go with the ports", "[machine_ucx][teardown]") {
  const auto carrier = GENERATE(HostCarrier::tagged, HostCarrier::active);
  Machines machines(carrier);
  std::vector<std::unique_ptr<Done>> done;
  const auto bytes = pattern(kBatchBytes);
  for (int i = 0; i < 600; ++i) {
    done.push_back(std::make_unique<Done>());
    machines.port(0).send_batch(1, Lane::data, bytes, *done.back());
  }
  const bool is_receiver_first = GENERATE(true, false);
  machines.ports[is_receiver_first ? 1 : 0].reset();
  machines.ports.clear();
  CHECK(machines.client(1).batches.empty());
}

TEST_CASE("ports are opened by the threads of their PEs", "[machine_ucx][machine]") {
  Exchange exchange{std::vector<std::vector<std::byte>>(1), 0};
  MemoryBootstrap bootstrap(exchange, 0);
  const Roster roster(1, 4);
  UcxMachine machine(bootstrap, roster, HostCarrier::tagged);
  CHECK_THROWS_WITH(machine.contact(), contains_text("PE 0 has no port"));
  std::vector<Recorder> clients(4);
  std::vector<std::unique_ptr<Port>> ports(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { ports[i] = machine.open_port(static_cast<PeId>(i), clients[i]); });
  }
  for (auto& thread : threads) thread.join();
  CHECK(decode_contact(machine.contact()).addresses.size() == 4);
  CHECK_THROWS_AS(machine.open_port(0, clients[0]), UsageError);
  CHECK_THROWS_AS(machine.open_port(4, clients[0]), UsageError);
}

TEST_CASE("a port after one that could not be opened fails with the first one's error", "[machine_ucx][machine]") {
  Exchange exchange{std::vector<std::vector<std::byte>>(1), 0};
  MemoryBootstrap bootstrap(exchange, 0);
  const Roster roster(1, 2);
  UcxMachine machine(bootstrap, roster, HostCarrier::tagged);
  Recorder client;
  std::string first;
  {
    const Variable none("UCX_TLS", "no_such_transport");
    try {
      machine.open_port(0, client);
    } catch (const std::exception& error) {
      first = error.what();
    }
  }
  CHECK_FALSE(first.empty());
  CHECK_THROWS_WITH(machine.open_port(1, client), contains_text(first));
}

TEST_CASE("shared memory has no name that a killed process could leave behind", "[machine_ucx][teardown]") {
  Machines machines(HostCarrier::tagged);
  machines.send(0, 1, Lane::data, pattern(8));
  std::ifstream maps("/proc/self/maps");
  std::size_t mapped = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/dev/shm/") == std::string::npos) continue;
    ++mapped;
    INFO(line);
    CHECK(line.ends_with("(deleted)"));
  }
  CHECK(mapped > 0);
}
