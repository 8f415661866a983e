// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Random bytes that the processes of one run share and nobody else knows: by them they tell their own messages from
/// those of strangers. They are never printed and never on a command line or in the environment.
using Secret = std::array<std::byte, 16>;

/// The part of it that each batch carries.
inline std::uint64_t batch_secret(const Secret& secret) {
  std::uint64_t word = 0;
  std::memcpy(&word, secret.data(), sizeof word);
  return word;
}

/// The other part of it, of which the tag of each payload carries as many bits as it has room for.
inline std::uint64_t payload_secret(const Secret& secret) {
  std::uint64_t word = 0;
  std::memcpy(&word, secret.data() + sizeof word, sizeof word);
  return word;
}

}  // namespace kaon::runtime
