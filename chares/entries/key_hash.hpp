// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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
// Equal keys must have equal hashes, which only these are known to have by their parts in this order.
template <class K>
struct IsKnown : std::false_type {};
template <class... Parts>
struct IsKnown<std::tuple<Parts...>> : std::true_type {};
template <class First, class Second>
struct IsKnown<std::pair<First, Second>> : std::true_type {};
template <class Part, std::size_t kParts>
struct IsKnown<std::array<Part, kParts>> : std::true_type {};
template <class K>
inline constexpr bool kIsVector = false;
template <class Part, class Allocator>
inline constexpr bool kIsVector<std::vector<Part, Allocator>> = true;

}  // namespace key_hash

/// Where the messages with a key are looked for: by its std::hash, by a `hash_value(key)` beside its type, or of a
/// pair, tuple, array or vector by those of its parts.
template <class K>
std::uint64_t hash_of(const K& key) {
  if constexpr (std::is_integral_v<K>) {
    return static_cast<std::uint64_t>(key);
  } else if constexpr (key_hash::Hashable<K>) {
    return std::hash<K>{}(key);
  } else if constexpr (key_hash::HasHashValue<K>) {
    return hash_value(key);
  } else if constexpr (key_hash::kIsVector<K>) {
    std::uint64_t hash = 0;
    for (const auto& part : key) hash = key_hash::combined(hash, hash_of(part));
    return hash;
  } else {
    static_assert(
        key_hash::IsKnown<K>::value,
        "the key of an inbox is a type that std::hash knows, a pair, tuple, array or vector of such, or one with a "
        "function `std::size_t hash_value(const Key&)` beside it");
    std::uint64_t hash = 0;
    std::apply([&](const auto&... parts) { ((hash = key_hash::combined(hash, hash_of(parts))), ...); }, key);
    return hash;
  }
}

}  // namespace kaon::chares
