// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/ports/secret.hpp"

namespace kaon::runtime {

/// SipHash-2-4: a keyed hash that nobody can compute, or turn back, without the key.
std::uint64_t siphash(const Secret& key, std::span<const std::byte> data);

/// Authentication code of one end of one TCP connection. It depends on the addresses and ports of both ends, so a code
/// that has come to the wrong hands opens no other connection; and no end can send the other's back.
using ConnectionCode = std::array<std::byte, 16>;

/// The one that has opened the connection, and sends its code first, or the one that has accepted it.
enum class ConnectionEnd { opened, accepted };
/// Code that this end sends: `socket` is the end `end`. Returns nothing if it is not connected.
std::optional<ConnectionCode> own_code(int socket, ConnectionEnd end, const Secret& secret);
/// Code that the other end sends.
std::optional<ConnectionCode> expected_code(int socket, ConnectionEnd end, const Secret& secret);

/// Sends the code of this end, for which a connection that is new has room. False: the connection has ended.
bool send_code(int socket, ConnectionEnd end, const Secret& secret);

enum class Answer { right, wrong, none };
/// Takes the code of the end that has accepted our connection, and no byte behind it. `wait` waits until there is
/// something to take; it returns false to give up, which is no answer, as is the end of the connection. `socket` does
/// not block.
Answer take_answer(int socket, const Secret& secret, const std::function<bool()>& wait);

/// Takes the same time wherever they differ.
bool is_same(const ConnectionCode& one, const ConnectionCode& other);

}  // namespace kaon::runtime
