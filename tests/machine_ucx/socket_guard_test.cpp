// SPDX-License-Identifier: Apache-2.0
// What strangers send to the sockets of UCX: see docs/security.md.
#include "kaon/machine_ucx/socket_guard.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kaon/runtime/ports/connection_code.hpp"
#include "tests/machine_ucx/machines.hpp"
#include "tests/support/ucx_stranger.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::guards {
namespace fs = std::filesystem;

constexpr Secret kSecret{std::byte{1}, std::byte{2}, std::byte{3}};

// Descriptors of this process.
std::vector<int> descriptors() {
  std::vector<int> found;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
    found.push_back(std::atoi(entry.path().filename().c_str()));
  return found;
}

int option(int socket, int name) {
  int value = -1;
  socklen_t bytes = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &bytes) == 0 ? value : -1;
}

std::vector<sockaddr_in> listening_ports() {
  std::vector<sockaddr_in> found;
  for (const int socket : descriptors()) {
    sockaddr_in name{};
    socklen_t bytes = sizeof name;
    if (option(socket, SO_ACCEPTCONN) == 1 && option(socket, SO_DOMAIN) == AF_INET &&
        getsockname(socket, reinterpret_cast<sockaddr*>(&name), &bytes) == 0)
      found.push_back(name);
  }
  return found;
}

std::vector<std::string> datagram_sockets() {
  std::vector<std::string> found;
  for (const int socket : descriptors()) {
    sockaddr_un name{};
    socklen_t bytes = sizeof name;
    if (option(socket, SO_DOMAIN) == AF_UNIX && option(socket, SO_TYPE) == SOCK_DGRAM &&
        getsockname(socket, reinterpret_cast<sockaddr*>(&name), &bytes) == 0 && bytes > sizeof name.sun_family)
      found.emplace_back(name.sun_path, bytes - sizeof name.sun_family);
  }
  return found;
}

// That two processes still reach each other, in both directions.
void check_that_messages_come(Machines& machines) {
  const auto bytes = pattern(100);
  for (const std::size_t from : {0u, 1u}) {
    const std::size_t to = 1 - from, before = machines.client(to).batches.size();
    machines.send(from, static_cast<PeId>(to), Lane::data, bytes);
    machines.until([&] { return machines.client(to).batches.size() > before; });
    CHECK(machines.client(to).batches.back().bytes == bytes);
  }
}

// Two processes that are connected by TCP over the loopback interface.
class OverTcp {
  const Variable transports_{"UCX_TLS", "tcp"};

 public:
  explicit OverTcp(bool is_of_hosts = false)
      : machines({HostCarrier::active, HostCarrier::active}, kSecret, {}, is_of_hosts) {}
  Machines machines;
};

TEST_CASE("processes of a run connect over TCP", "[machine_ucx][strangers]") {
  OverTcp run(GENERATE(false, true));
  check_that_messages_come(run.machines);
}

TEST_CASE("TCP that a user has chosen listens at the loopback interface", "[machine_ucx][strangers]") {
  const OverTcp run;
  const auto ports = listening_ports();
  CHECK(ports.size() >= 2);
  for (const sockaddr_in& port : ports) CHECK(ntohl(port.sin_addr.s_addr) == INADDR_LOOPBACK);
}

TEST_CASE("a stranger who connects over TCP writes no memory, whatever he sends", "[machine_ucx][strangers]") {
  OverTcp run(GENERATE(false, true));
  const bool is_under_way = GENERATE(false, true);
  if (is_under_way) check_that_messages_come(run.machines);
  static volatile std::uint64_t canary;
  canary = 1111;
  const auto ports = listening_ports();
  REQUIRE_FALSE(ports.empty());
  for (const sockaddr_in& port : ports) CHECK(is_every_attack_turned_away(port, &canary, 2222));
  check_that_messages_come(run.machines);
  CHECK(canary == 1111);
}

TEST_CASE("connections that stay silent take no descriptors", "[machine_ucx][strangers]") {
  OverTcp run;
  const std::size_t before = descriptors().size();
  std::vector<std::unique_ptr<TcpStranger>> silent;
  for (const sockaddr_in& port : listening_ports())
    for (int i = 0; i < 100; ++i) silent.push_back(std::make_unique<TcpStranger>(port));
  check_that_messages_come(run.machines);
  CHECK(descriptors().size() < before + silent.size() + 20);
}

TEST_CASE("the code of one connection opens no other", "[machine_ucx][strangers]") {
  OverTcp run;
  const sockaddr_in port = listening_ports().front();
  const TcpStranger one(port), other(port);
  const auto stolen = own_code(one.number(), ConnectionEnd::opened, kSecret);
  REQUIRE(stolen.has_value());
  other.send(*stolen);
  CHECK(other.is_turned_away());
}

TEST_CASE("a run of another secret connects to none of this one", "[machine_ucx][strangers]") {
  OverTcp run;
  const TcpStranger stranger(listening_ports().front());
  const auto code = own_code(stranger.number(), ConnectionEnd::opened, Secret{});
  stranger.send(*code);
  CHECK(stranger.is_turned_away());
}

// UCX would give up the worker at an empty one, whose process this is.
TEST_CASE("datagrams of strangers neither end a process nor keep it from its messages", "[machine_ucx][strangers]") {
  Machines machines(HostCarrier::active, 2, kSecret);
  check_that_messages_come(machines);
  const auto sockets = datagram_sockets();
  REQUIRE(sockets.size() >= 2);
  const std::size_t bytes = GENERATE(0u, 1u, 2u, 100u, 4096u, 65536u);
  for (const std::string& socket : sockets)
    for (int i = 0; i < 1000 && send_datagram(socket, bytes); ++i) {
    }
  machines.until([&] { return machines.port(0).arm() && machines.port(1).arm(); });
  check_that_messages_come(machines);
}

TEST_CASE("the sockets by which processes of a host wake each other are in the run's folder",
          "[machine_ucx][strangers]") {
  std::string folder = "/dev/shm/kaon-test-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  {
    Machines machines(HostCarrier::active, 2, kSecret, folder);
    check_that_messages_come(machines);
    const auto sockets = datagram_sockets();
    CHECK(sockets.size() >= 2);
    for (const std::string& socket : sockets) CHECK(socket.starts_with(folder + "/"));
  }
  CHECK(fs::is_empty(folder));
  fs::remove_all(folder);
}

}  // namespace kaon::testing::guards
