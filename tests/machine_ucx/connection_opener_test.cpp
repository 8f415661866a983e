// SPDX-License-Identifier: Apache-2.0
// threads: one that plays the other end
#include "kaon/machine_ucx/connection_opener.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/machine_ucx/tcp_sockets.hpp"

namespace kaon::testing::openers {

using launch::Descriptor;

constexpr Secret kSecret{std::byte{1}, std::byte{2}, std::byte{3}};

bool open_to(BoundSocket& other) {
  const Descriptor socket = tcp_socket();
  return open_connection(socket.number(), other.address(), sizeof other.port, kSecret);
}

TEST_CASE("a program that has taken the port of a process gets no connection, whatever it answers",
          "[machine_ucx][strangers]") {
  BoundSocket stranger;
  REQUIRE(listen(stranger.socket.number(), 1) == 0);
  const std::jthread thread([&stranger] {
    const Descriptor connection = stranger.accept();
    ConnectionCode code{};  // all that he knows
    if (recv(connection.number(), code.data(), code.size(), MSG_WAITALL) > 0)
      static_cast<void>(send(connection.number(), code.data(), code.size(), MSG_NOSIGNAL));
  });
  CHECK_FALSE(open_to(stranger));
  CHECK(errno == ECONNREFUSED);
}

TEST_CASE("a connection that ends without an answer is made again", "[machine_ucx][strangers]") {
  BoundSocket other;
  REQUIRE(listen(other.socket.number(), 1) == 0);
  const std::jthread thread([&other] {
    static_cast<void>(other.accept());
    const Descriptor connection = other.accept();
    static_cast<void>(answer_connection(connection, kSecret));
  });
  CHECK(open_to(other));
}

// Of sockets that wait for an answer from this port, as the system lists them.
std::set<std::string> connecting_ports(const sockaddr_in& port) {
  std::array<char, 24> name{};
  std::snprintf(name.data(), name.size(), "0100007F:%04X", ntohs(port.sin_port));
  std::set<std::string> found;
  std::ifstream table("/proc/self/net/tcp");
  std::string line, number, local, remote, state;
  while (table >> number >> local >> remote >> state && std::getline(table, line))
    if (remote == name.data() && state == "02") found.insert(local);
  return found;
}

// The system alone tries one port, first after a second.
TEST_CASE("a connection that finds no room in the other end's queue is begun again", "[machine_ucx][strangers]") {
  BoundSocket other;
  REQUIRE(listen(other.socket.number(), 0) == 0);
  std::vector<Descriptor> strangers;
  while (connecting_ports(other.port).empty())
    connect(strangers.emplace_back(tcp_socket(SOCK_NONBLOCK)).number(), other.address(), sizeof other.port);
  bool is_open = false;
  std::jthread opener([&] { is_open = open_to(other); });
  std::set<std::string> tried;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (tried.size() < 4 && std::chrono::steady_clock::now() < until) tried.merge(connecting_ports(other.port));
  CHECK(tried.size() >= 4);  // one is a stranger's
  strangers.clear();
  for (Descriptor next = other.accept(); next.is_open() && !answer_connection(next, kSecret);) next = other.accept();
  opener.join();
  CHECK(is_open);
}

TEST_CASE("a port at which nobody listens refuses at once", "[machine_ucx][strangers]") {
  BoundSocket other;
  CHECK_FALSE(open_to(other));
  CHECK(errno == ECONNREFUSED);
}

}  // namespace kaon::testing::openers
