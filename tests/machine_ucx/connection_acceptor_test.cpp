// SPDX-License-Identifier: Apache-2.0
// threads: that of the acceptor
#include "kaon/machine_ucx/connection_acceptor.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <vector>

#include "kaon/machine_ucx/connection_opener.hpp"
#include "kaon/machine_ucx/socket_polls.hpp"
#include "tests/machine_ucx/tcp_sockets.hpp"
#include "tests/support/ucx_stranger.hpp"

namespace kaon::testing::acceptors {

using launch::Descriptor;

constexpr Secret kSecret{std::byte{1}, std::byte{2}, std::byte{3}};
constexpr std::chrono::milliseconds kLong{20000};

/// A port of a process of the run, which does nothing with what comes there, as while UCX opens a connection.
struct Port {
  BoundSocket bound;
  Port() { REQUIRE(ConnectionAcceptor::of_process().listen(queue(), 1, this, kSecret)); }
  ~Port() { ConnectionAcceptor::of_process().close(this); }
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  [[nodiscard]] int queue() const { return bound.socket.number(); }
  [[nodiscard]] Descriptor open(const Secret& secret) {
    Descriptor socket = tcp_socket();
    if (!open_connection(socket.number(), bound.address(), sizeof bound.port, secret)) socket.close();
    return socket;
  }
};

TEST_CASE("a connection with the right code is answered while the process is busy, and taken later",
          "[machine_ucx][strangers]") {
  Port port;
  std::vector<Descriptor> opened;
  // More than the system keeps in a queue.
  for (int i = 0; i < 400; ++i) REQUIRE(opened.emplace_back(port.open(kSecret)).is_open());
  for (const Descriptor& socket : opened) REQUIRE(send(socket.number(), "x", 1, MSG_NOSIGNAL) == 1);
  for (std::size_t i = 0; i < opened.size(); ++i) {
    REQUIRE(is_ready(port.queue(), POLLIN, kLong));
    const Descriptor taken(ConnectionAcceptor::take(port.queue()).value_or(-1));
    char byte = 0;
    REQUIRE(is_ready(taken.number(), POLLIN, kLong));
    CHECK(recv(taken.number(), &byte, 1, 0) == 1);  // what follows the code
  }
  CHECK(ConnectionAcceptor::take(port.queue()) == -1);
}

TEST_CASE("strangers are turned away while the process is busy, and none is passed on", "[machine_ucx][strangers]") {
  Port port;
  CHECK(is_every_attack_turned_away(port.bound.port, nullptr, 1));
  CHECK(ConnectionAcceptor::take(port.queue()) == -1);
  CHECK(port.open(kSecret).is_open());
}

TEST_CASE("a port that its process has closed refuses connections", "[machine_ucx][strangers]") {
  Port port;
  ConnectionAcceptor::of_process().close(&port);
  CHECK_FALSE(port.open(kSecret).is_open());
}

TEST_CASE("what is no queue of connections is left to the system", "[machine_ucx][strangers]") {
  const BoundSocket other;
  CHECK_FALSE(ConnectionAcceptor::take(other.socket.number()).has_value());
}

}  // namespace kaon::testing::acceptors
