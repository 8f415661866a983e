// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "kaon/runtime/launch/lifelines.hpp"
#include "kaon/runtime/ports/connection_code.hpp"
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

inline std::unique_ptr<Lifelines> make(int process, int processes, Losses& losses) {
  return std::make_unique<Lifelines>(process, processes, kSecret, "no-such-interface,lo", losses.seen_by(process));
}

inline Descriptor connect_to(const std::vector<std::byte>& address) {
  Descriptor line(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto* at = reinterpret_cast<const sockaddr*>(address.data());
  REQUIRE(connect(line.number(), at, static_cast<socklen_t>(address.size())) == 0);
  return line;
}

inline void send(const Descriptor& line, std::span<const std::byte> bytes) {
  REQUIRE(::send(line.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
}

inline ConnectionCode code_of(const Descriptor& line, ConnectionEnd end, const Secret& secret) {
  const auto code = own_code(line.number(), end, secret);
  REQUIRE(code.has_value());
  return *code;
}

// As process `process` would.
inline void introduce(const Descriptor& line, const Secret& secret, std::int32_t process) {
  send(line, code_of(line, ConnectionEnd::opened, secret));
  send(line, std::as_bytes(std::span(&process, 1)));
}

inline bool is_answered(const Descriptor& line) {
  ConnectionCode answer{};
  return recv(line.number(), answer.data(), answer.size(), MSG_WAITALL) == static_cast<ssize_t>(answer.size()) &&
         answer == expected_code(line.number(), ConnectionEnd::opened, kSecret);
}

// A port of the loopback interface at which a test listens, as a process above does or a stranger.
struct Listener {
  Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {}};

  Listener() {
    socklen_t bytes = sizeof address;
    auto* name = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(bind(socket.number(), name, bytes) == 0);
    REQUIRE(listen(socket.number(), 8) == 0);
    REQUIRE(getsockname(socket.number(), name, &bytes) == 0);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(&address, 1)); }
  // Not open if no connection comes.
  [[nodiscard]] Descriptor accept() const {
    pollfd polled{socket.number(), POLLIN, 0};
    return Descriptor(poll(&polled, 1, 20000) == 1 ? ::accept(socket.number(), nullptr, nullptr) : -1);
  }
  // The first who comes, and is answered with `secret`.
  [[nodiscard]] Descriptor accept_and_answer(const Secret& secret) const {
    Descriptor line = accept();
    std::array<std::byte, sizeof(ConnectionCode) + sizeof(std::int32_t)> introduction{};
    if (recv(line.number(), introduction.data(), introduction.size(), MSG_WAITALL) > 0)
      if (const auto code = own_code(line.number(), ConnectionEnd::accepted, secret))
        static_cast<void>(write(line.number(), code->data(), code->size()));
    return line;
  }
};

inline bool is_closed_by_other(const Descriptor& line) {
  pollfd polled{line.number(), POLLIN, 0};
  char byte = 0;
  return poll(&polled, 1, 20000) == 1 && read(line.number(), &byte, 1) <= 0;
}

// When a stranger that came later is refused, what was sent before has been read.
inline void wait_until_read(const Lifelines& root) {
  Secret wrong = kSecret;
  wrong.back() ^= std::byte{1};
  const Descriptor last = connect_to(root.address());
  introduce(last, wrong, 1);
  CHECK(is_closed_by_other(last));
}

}  // namespace kaon::testing::lifelines
