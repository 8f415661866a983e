// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/ports/secret.hpp"

namespace kaon::machine_ucx {

/// SipHash-2-4: a keyed hash that nobody can compute, or turn back, without the key.
std::uint64_t siphash(const Secret& key, std::span<const std::byte> data);

/// Authentication code of one TCP connection: whoever opens it sends the code first. It holds the addresses and ports
/// of both ends, so a code that has come to the wrong hands opens no other connection.
using ConnectionCode = std::array<std::byte, 16>;

enum class ConnectionEnd { opened, accepted };
/// Of the connection that `socket` is one end of; nothing if it is not connected.
std::optional<ConnectionCode> connection_code(int socket, ConnectionEnd end, const Secret& secret);

/// Takes the same time wherever they differ.
bool is_same(const ConnectionCode& one, const ConnectionCode& other);

}  // namespace kaon::machine_ucx
