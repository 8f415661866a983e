// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/descriptor.hpp"

namespace kaon::testing {

/// Somebody outside of a run who speaks the protocol of UCX's TCP transport: messages of a number and a length.
class TcpStranger {
 public:
  /// Connects. Not open if that was refused.
  explicit TcpStranger(const sockaddr_in& address);

  [[nodiscard]] bool is_open() const { return socket_.is_open(); }
  [[nodiscard]] int number() const { return socket_.number(); }
  [[nodiscard]] sockaddr_in name() const;
  void send(std::span<const std::byte> bytes) const;
  /// Begins a connection as UCX's own processes do.
  void introduce() const;
  /// A message of UCX.
  void send_message(std::uint8_t number, std::span<const std::byte> body) const;
  /// UCX's own message that writes a word into the memory of the process.
  void put(const volatile void* where, std::uint64_t value) const;
  /// Until the other end has closed the connection, for some seconds at most. Returns false if it has not, or has sent
  /// anything.
  [[nodiscard]] bool is_turned_away() const;

 private:
  launch::Descriptor socket_;
};

/// The numbers of messages that UCX's TCP transport knows: 32 of its users, 4 of its own, and some behind.
inline constexpr std::uint8_t kUcxMessages = 40;

/// Does to a port of UCX what a stranger can: says each message with a short, a long and no body, and sends noise.
/// `where` is what the messages that write memory write to. Returns false at the first connection that is not closed.
bool is_every_attack_turned_away(const sockaddr_in& port, const volatile void* where, std::uint64_t value);

/// Sends a datagram, without waiting, to a socket of a name, which begins with '\0' where it has no file. False: the
/// system has refused it.
bool send_datagram(std::string_view socket, std::size_t bytes);

}  // namespace kaon::testing
