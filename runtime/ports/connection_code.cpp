// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/ports/connection_code.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

namespace kaon::runtime {
namespace {

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
};

// The least significant byte first, whatever the processor does.
std::uint64_t word_at(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}

struct End {
  std::array<std::byte, 18> bytes{};  // address and port
};

std::optional<End> end_of(const sockaddr_storage& address) {
  End end;
  if (address.ss_family == AF_INET) {
    const auto& internet = reinterpret_cast<const sockaddr_in&>(address);
    std::memcpy(end.bytes.data(), &internet.sin_addr, sizeof internet.sin_addr);
    std::memcpy(end.bytes.data() + 16, &internet.sin_port, sizeof internet.sin_port);
    return end;
  }
  if (address.ss_family != AF_INET6) return std::nullopt;
  const auto& internet = reinterpret_cast<const sockaddr_in6&>(address);
  std::memcpy(end.bytes.data(), &internet.sin6_addr, sizeof internet.sin6_addr);
  std::memcpy(end.bytes.data() + 16, &internet.sin6_port, sizeof internet.sin6_port);
  return end;
}

std::optional<End> end_by(int socket, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  if (ask(socket, reinterpret_cast<sockaddr*>(&address), &bytes) != 0) return std::nullopt;
  return end_of(address);
}

}  // namespace

std::uint64_t siphash(const Secret& key, std::span<const std::byte> data) {
  const std::span<const std::byte> both(key);
  const std::uint64_t k0 = word_at(both.first(8)), k1 = word_at(both.subspan(8));
  SipState state{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
  const std::uint64_t length = data.size();
  for (; data.size() >= 8; data = data.subspan(8)) state.take(word_at(data));
  state.take(word_at(data) | length << 56);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

namespace {

std::optional<ConnectionCode> code(int socket, ConnectionEnd end, ConnectionEnd sender, const Secret& secret) {
  const auto here = end_by(socket, getsockname), there = end_by(socket, getpeername);
  if (!here || !there) return std::nullopt;
  const End& opener = end == ConnectionEnd::opened ? *here : *there;
  const End& listener = end == ConnectionEnd::opened ? *there : *here;
  std::array<std::byte, 2 + 2 * sizeof(End)> text{};
  text[1] = std::byte{sender == ConnectionEnd::accepted};
  std::memcpy(text.data() + 2, opener.bytes.data(), sizeof(End));
  std::memcpy(text.data() + 2 + sizeof(End), listener.bytes.data(), sizeof(End));
  ConnectionCode code{};
  for (std::size_t half = 0; half < 2; ++half) {
    text[0] = std::byte{static_cast<unsigned char>(half)};
    const std::uint64_t word = siphash(secret, text);
    std::memcpy(code.data() + 8 * half, &word, sizeof word);
  }
  return code;
}

}  // namespace

std::optional<ConnectionCode> own_code(int socket, ConnectionEnd end, const Secret& secret) {
  return code(socket, end, end, secret);
}

std::optional<ConnectionCode> expected_code(int socket, ConnectionEnd end, const Secret& secret) {
  return code(socket, end, end == ConnectionEnd::opened ? ConnectionEnd::accepted : ConnectionEnd::opened, secret);
}

bool send_code(int socket, ConnectionEnd end, const Secret& secret) {
  const auto code = own_code(socket, end, secret);
  return code &&
         ::send(socket, code->data(), code->size(), MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(code->size());
}

Answer take_answer(int socket, const Secret& secret, const std::function<bool()>& wait) {
  const auto expected = expected_code(socket, ConnectionEnd::opened, secret);
  ConnectionCode code{};
  for (std::size_t taken = 0; taken < code.size();) {
    if (!expected || !wait()) return Answer::none;
    const ssize_t count = recv(socket, code.data() + taken, code.size() - taken, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count == 0) errno = ECONNRESET;
    if (count <= 0) return Answer::none;
    taken += static_cast<std::size_t>(count);
  }
  return is_same(code, *expected) ? Answer::right : Answer::wrong;
}

bool is_same(const ConnectionCode& one, const ConnectionCode& other) {
  std::byte difference{0};
  for (std::size_t i = 0; i < one.size(); ++i) difference |= one[i] ^ other[i];
  return difference == std::byte{0};
}

}  // namespace kaon::runtime
