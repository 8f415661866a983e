// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/lifelines.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::lifelines {

using std::chrono::seconds;

// Who was lost, as processes that live have seen it.
class Losses {
 public:
  Lifelines::Lost seen_by(int observer) {
    return [this, observer](int process) {
      const std::lock_guard hold(mutex_);
      seen_.insert({observer, process});
      changed_.notify_all();
    };
  }
  bool wait_for(int observer, int process) {
    std::unique_lock hold(mutex_);
    return changed_.wait_for(hold, seconds(20), [&] { return seen_.contains({observer, process}); });
  }
  std::size_t count() {
    const std::lock_guard hold(mutex_);
    return seen_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::pair<int, int>> seen_;
};

constexpr Secret kSecret{std::byte{1}, std::byte{2}};

std::unique_ptr<Lifelines> make(int process, int processes, Losses& losses) {
  return std::make_unique<Lifelines>(process, processes, kSecret, "no-such-interface,lo", losses.seen_by(process));
}

Descriptor connect_to(const std::vector<std::byte>& address) {
  Descriptor line(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto* at = reinterpret_cast<const sockaddr*>(address.data());
  REQUIRE(connect(line.number(), at, static_cast<socklen_t>(address.size())) == 0);
  return line;
}

// As process `process` would.
void introduce(const Descriptor& line, const Secret& secret, std::int32_t process) {
  REQUIRE(write(line.number(), secret.data(), secret.size()) == static_cast<ssize_t>(secret.size()));
  REQUIRE(write(line.number(), &process, sizeof process) == sizeof process);
}

bool is_closed_by_other(const Descriptor& line) {
  pollfd polled{line.number(), POLLIN, 0};
  char byte = 0;
  return poll(&polled, 1, 20000) == 1 && read(line.number(), &byte, 1) <= 0;
}

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
    char farewell = 0;
    CHECK(read(held.number(), &farewell, 1) == 1);
    CHECK(farewell == 'F');
  }
}

TEST_CASE("the process above is missed, too", "[launch][lifelines]") {
  Losses losses;
  const auto held = make(1, 2, losses);
  {
    const auto root = make(0, 2, losses);
    const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(listen(listener.number(), 1) == 0);
    sockaddr_in address{};
    socklen_t bytes = sizeof address;
    REQUIRE(getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &bytes) == 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    held->hold(0, std::as_bytes(std::span(&address, 1)));
    const Descriptor line(accept(listener.number(), nullptr, nullptr));
    REQUIRE(line.is_open());
  }
  CHECK(losses.wait_for(1, 0));
}

TEST_CASE("strangers get no line, and no word", "[launch][lifelines][bad input]") {
  Losses losses;
  const auto root = make(0, 3, losses);
  Secret wrong = kSecret;
  wrong.back() ^= std::byte{1};
  for (const auto& [secret, process] : std::vector<std::pair<Secret, int>>{{wrong, 1}, {kSecret, 0}, {kSecret, 3}}) {
    const Descriptor line = connect_to(root->address());
    introduce(line, secret, process);
    CHECK(is_closed_by_other(line));
  }
  const Descriptor first = connect_to(root->address());
  introduce(first, kSecret, 1);
  const Descriptor second = connect_to(root->address());
  introduce(second, kSecret, 1);  // the same again: one of the two
  std::array<pollfd, 2> both{pollfd{first.number(), POLLIN, 0}, pollfd{second.number(), POLLIN, 0}};
  CHECK(poll(both.data(), both.size(), 20000) == 1);
  CHECK(losses.count() == 0);
}

TEST_CASE("a process that stands below another gets no line", "[launch][lifelines][bad input]") {
  Losses losses;
  const auto root = make(0, 18, losses);
  const Descriptor line = connect_to(root->address());
  introduce(line, kSecret, 17);
  CHECK(is_closed_by_other(line));
}

// When a stranger that came later is refused, what was sent before has been read.
void wait_until_read(const Lifelines& root) {
  Secret wrong = kSecret;
  wrong.back() ^= std::byte{1};
  const Descriptor last = connect_to(root.address());
  introduce(last, wrong, 1);
  CHECK(is_closed_by_other(last));
}

TEST_CASE("strangers who say nothing keep nobody of the run out, and only the last are kept", "[launch][lifelines]") {
  Losses losses;
  auto root = make(0, 2, losses);
  std::vector<Descriptor> lines;
  for (int i = 1; i <= 72; ++i) {
    lines.push_back(connect_to(root->address()));
    if (i % 8 == 0) wait_until_read(*root);  // so those before it are in, too
  }
  CHECK(is_closed_by_other(lines.front()));
  introduce(lines.emplace_back(connect_to(root->address())), kSecret, 1);
  root.reset();
  char farewell = 0;
  CHECK(read(lines.back().number(), &farewell, 1) == 1);
}

TEST_CASE("strangers who have gone leave their places to others", "[launch][lifelines][bad input]") {
  Losses losses;
  auto root = make(0, 2, losses);
  for (int i = 0; i < 80; ++i) {
    static_cast<void>(connect_to(root->address()));
    wait_until_read(*root);
  }
  const Descriptor line = connect_to(root->address());
  introduce(line, kSecret, 1);
  root.reset();
  char farewell = 0;
  CHECK(read(line.number(), &farewell, 1) == 1);
}

TEST_CASE("who introduces itself in pieces and leaves at once is not missed", "[launch][lifelines]") {
  Losses losses;
  const auto root = make(0, 3, losses);
  {
    const Descriptor line = connect_to(root->address());
    REQUIRE(write(line.number(), kSecret.data(), kSecret.size()) == static_cast<ssize_t>(kSecret.size()));
    wait_until_read(*root);
    const std::array<char, 5> rest{1, 0, 0, 0, 'F'};
    REQUIRE(write(line.number(), rest.data(), rest.size()) == static_cast<ssize_t>(rest.size()));
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
