// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/lifelines.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/lifeline_ends.hpp"

namespace kaon::testing::lifelines {

TEST_CASE("processes hold on to one that stands above them", "[launch][lifelines]") {
  CHECK_FALSE(Lifelines::above(0));
  CHECK(Lifelines::above(1) == 0);
  CHECK(Lifelines::above(16) == 0);
  CHECK(Lifelines::above(17) == 1);
  CHECK(Lifelines::above(1000) == 62);
}

TEST_CASE("nobody listens for whom nobody is below", "[launch][lifelines]") {
  Losses losses;
  CHECK_FALSE(make(0, 2, losses)->address().empty());
  CHECK(make(1, 17, losses)->address().empty());
  CHECK_FALSE(make(1, 18, losses)->address().empty());
}

TEST_CASE("whoever listens does so at the interface that was named, and at no other", "[launch][lifelines]") {
  Losses losses;
  const std::vector<std::byte> bytes = make(0, 2, losses)->address();
  sockaddr_in address{};
  REQUIRE(bytes.size() == sizeof address);
  std::memcpy(&address, bytes.data(), sizeof address);
  CHECK(ntohl(address.sin_addr.s_addr) == INADDR_LOOPBACK);
}

TEST_CASE("a process that dies is missed at both ends of its lines, and one that leaves is not",
          "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 3, losses);
  auto leaving = make(1, 3, losses);
  leaving->hold(0, root->address());
  {
    const Descriptor dying = connect_to(root->address());
    introduce(dying, kSecret, 2);
    leaving.reset();
    CHECK(losses.count() == 0);
  }
  CHECK(losses.wait_for(0, 2));
  CHECK(losses.count() == 1);
}

TEST_CASE("a process above that leaves at once is not missed by who has just come", "[launch][lifelines]") {
  Losses losses;
  for (int i = 0; i < 50; ++i) {
    auto root = make(0, 2, losses);
    const Descriptor held = connect_to(root->address());
    introduce(held, kSecret, 1);
    root.reset();
    CHECK(is_answered(held));
    char farewell = 0;
    CHECK(read(held.number(), &farewell, 1) == 1);
    CHECK(farewell == 'F');
  }
}

TEST_CASE("the process above is missed, too", "[launch][lifelines]") {
  Losses losses;
  const auto held = make(1, 2, losses);
  const Listener above;
  std::jthread process([&above] { static_cast<void>(above.accept_and_answer(kSecret)); });
  held->hold(0, above.bytes());
  CHECK(losses.wait_for(1, 0));
}

TEST_CASE("who introduces itself in pieces and leaves at once is not missed", "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 3, losses);
  {
    const Descriptor line = connect_to(root->address());
    send(line, code_of(line, ConnectionEnd::opened, kSecret));
    wait_until_read(*root);
    const std::array<char, 5> rest{1, 0, 0, 0, 'F'};
    send(line, std::as_bytes(std::span(rest)));
  }
  {
    const Descriptor dying = connect_to(root->address());
    introduce(dying, kSecret, 2);
  }
  CHECK(losses.wait_for(0, 2));
  CHECK(losses.count() == 1);
}

bool is_refused_soon(const std::vector<std::byte>& address) {
  const auto is_refused = [&address] {
    const Descriptor line(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto* at = reinterpret_cast<const sockaddr*>(address.data());
    return connect(line.number(), at, static_cast<socklen_t>(address.size())) != 0;
  };
  const auto until = std::chrono::steady_clock::now() + seconds(20);
  bool was_refused = false;
  while (!(was_refused = is_refused()) && std::chrono::steady_clock::now() < until) {
  }
  return was_refused;
}

TEST_CASE("when all below have come nobody listens any more", "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 2, losses);
  const auto below = make(1, 2, losses);
  below->hold(0, root->address());
  CHECK(is_refused_soon(root->address()));
}

TEST_CASE("of many processes no more than sixteen are waited for by each", "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 100, losses);
  std::vector<Descriptor> below;
  for (int process = 1; process <= 16; ++process) {
    below.push_back(connect_to(root->address()));
    introduce(below.back(), kSecret, process);
  }
  CHECK(is_refused_soon(root->address()));
}

// Ends of connections with this port whose next timer is that of TCP's probes.
int probed_ends(const std::vector<std::byte>& address) {
  sockaddr_in at{};
  std::memcpy(&at, address.data(), sizeof at);
  std::array<char, 6> port{};
  std::snprintf(port.data(), port.size(), ":%04X", ntohs(at.sin_port));
  std::ifstream table("/proc/self/net/tcp");
  int count = 0;
  for (std::string line; std::getline(table, line);)
    if (line.find(port.data()) != line.npos && line.find(" 01 00000000:00000000 02:") != line.npos) ++count;
  return count;
}

TEST_CASE("both ends of a line are probed, so that a host that is gone is missed", "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 3, losses);
  const auto below = make(1, 3, losses);
  below->hold(0, root->address());
  const auto until = std::chrono::steady_clock::now() + seconds(20);
  while (probed_ends(root->address()) != 2 && std::chrono::steady_clock::now() < until) {
  }
  CHECK(probed_ends(root->address()) == 2);
}

TEST_CASE("an interface without an address is refused, and so is nobody above", "[launch][lifelines][bad input]") {
  Losses losses;
  CHECK_THROWS_AS(Lifelines(0, 2, kSecret, "no-such-interface", losses.seen_by(0)), UsageError);
  CHECK_THROWS_AS(make(1, 2, losses)->hold(0, {}), LostPeer);
  const std::vector<std::byte> left = make(0, 2, losses)->address();
  CHECK_THROWS_WITH(make(1, 2, losses)->hold(0, left), contains_text("cannot be reached (Connection refused)"));
}

}  // namespace kaon::testing::lifelines
