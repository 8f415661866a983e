// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>

namespace kaon::chares {

namespace key_hash {

inline std::uint64_t combined(std::uint64_t seed, std::uint64_t part) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  return (seed ^ part) * kOdd + (seed >> 32);
}

template <class K>
concept Hashable = requires(const K& key) { std::hash<K>{}(key); };
template <class K>
concept HasHashValue = requires(const K& key) { hash_value(key); };
template <class K>
concept TupleLike = requires { std::tuple_size<K>::value; };
template <class K>
concept Range = requires(const K& key) {
  key.begin();
  key.end();
};

}  // namespace key_hash

/// Where the messages with a key are looked for: by its std::hash or hash_value(), or by those of its parts.
template <class K>
std::uint64_t hash_of(const K& key) {
  std::uint64_t hash = 0;
  if constexpr (std::is_integral_v<K> || std::is_enum_v<K>)
    hash = static_cast<std::uint64_t>(key);
  else if constexpr (key_hash::Hashable<K>)
    hash = std::hash<K>{}(key);
  else if constexpr (key_hash::HasHashValue<K>)
    hash = hash_value(key);
  else if constexpr (key_hash::TupleLike<K>)
    std::apply([&](const auto&... parts) { ((hash = key_hash::combined(hash, hash_of(parts))), ...); }, key);
  else if constexpr (key_hash::Range<K>)
    for (const auto& part : key) hash = key_hash::combined(hash, hash_of(part));
  else
    static_assert(sizeof(K) == 0, "the key of an inbox is a type that std::hash knows, or one with a hash_value(key)");
  return hash;
}

}  // namespace kaon::chares
