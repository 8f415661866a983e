// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ucx_stranger.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace kaon::testing {
namespace {

constexpr int kAnswerMs = 20000;
constexpr std::uint64_t kMagicNumber = 0xCAFEBABE12345678;
constexpr std::uint8_t kConnect = 32, kPut = 33;

std::span<const std::byte> bytes_of(const auto& value) { return std::as_bytes(std::span(&value, 1)); }

#pragma pack(push, 1)
struct Header {
  std::uint8_t number;
  std::uint32_t bytes;
};
struct ConnectionRequest {
  std::uint32_t event = 1;
  std::uint8_t flags = 0;
  std::uint64_t sequence = 0;
  sockaddr_in address;
};
struct Put {
  std::uint64_t address;
  std::uint64_t bytes;
  std::uint32_t sequence;
};
#pragma pack(pop)

}  // namespace

TcpStranger::TcpStranger(const sockaddr_in& address) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) socket_.close();
}

sockaddr_in TcpStranger::name() const {
  sockaddr_in name{};
  socklen_t bytes = sizeof name;
  getsockname(socket_.number(), reinterpret_cast<sockaddr*>(&name), &bytes);
  return name;
}

// The other end may have closed already, which is read later.
void TcpStranger::send(std::span<const std::byte> bytes) const {
  if (::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return;
}

void TcpStranger::introduce() const {
  send(bytes_of(kMagicNumber));
  const ConnectionRequest request{.address = name()};
  send_message(kConnect, bytes_of(request));
}

void TcpStranger::send_message(std::uint8_t number, std::span<const std::byte> body) const {
  const Header header{number, static_cast<std::uint32_t>(body.size())};
  std::vector<std::byte> all(sizeof header + body.size());
  std::memcpy(all.data(), &header, sizeof header);
  std::copy(body.begin(), body.end(), all.begin() + sizeof header);
  send(all);
}

void TcpStranger::put(const volatile void* where, std::uint64_t value) const {
  const Put request{reinterpret_cast<std::uintptr_t>(where), sizeof value, 1};
  send_message(kPut, bytes_of(request));
  send(bytes_of(value));
}

bool TcpStranger::is_turned_away() const {
  if (!socket_.is_open()) return true;
  pollfd polled{socket_.number(), POLLIN, 0};
  if (poll(&polled, 1, kAnswerMs) <= 0) return false;
  std::byte answer{};
  const ssize_t count = recv(socket_.number(), &answer, 1, MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN);
}

bool is_every_attack_turned_away(const sockaddr_in& port, const volatile void* where, std::uint64_t value) {
  const std::array<std::vector<std::byte>, 3> bodies{std::vector<std::byte>(), std::vector<std::byte>(9, std::byte{7}),
                                                     std::vector<std::byte>(5000, std::byte{0xff})};
  for (std::uint8_t number = 0; number < kUcxMessages; ++number) {
    for (const auto& body : bodies) {
      const TcpStranger stranger(port);
      stranger.introduce();
      stranger.send_message(number, body);
      stranger.put(where, value);
      if (!stranger.is_turned_away()) return false;
    }
  }
  for (const std::size_t bytes : {1u, 8u, 15u, 16u, 17u, 4096u}) {
    const TcpStranger stranger(port);
    stranger.send(std::vector<std::byte>(bytes, std::byte{0x5a}));
    if (!stranger.is_turned_away()) return false;
  }
  return true;
}

bool send_datagram(std::string_view socket, std::size_t bytes) {
  const launch::Descriptor sender(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{AF_UNIX, {}};
  std::copy_n(socket.begin(), std::min(socket.size(), sizeof address.sun_path), address.sun_path);
  const std::vector<std::byte> data(bytes);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket.size());
  return sendto(sender.number(), data.data(), bytes, 0, reinterpret_cast<const sockaddr*>(&address), length) >= 0;
}

}  // namespace kaon::testing
