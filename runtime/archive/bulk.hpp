// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kaon/runtime/archive/corrupt.hpp"
#include "kaon/runtime/archive/sequence.hpp"

// Large vectors and strings among a message's own arguments: only their count stands in its bytes, and the elements
// travel beside them, straight out of the memory of the one and into that of the other.
namespace kaon::runtime {
struct PayloadRecord;
}

namespace kaon::runtime::archive {

/// Elements of one container.
struct BulkPart {
  std::byte* data;
  std::size_t bytes;
};

/// Those of one message, in the order of its arguments.
struct BulkParts {
  std::vector<BulkPart> parts;
  std::size_t most_bytes = 0;  // of one: when reading, a larger claim is not believed
};

/// The payloads and large arguments of a message that travel beside its bytes, for its packer and its unpacker.
class Apart {
 public:
  Apart(std::vector<PayloadRecord*>* payloads, BulkParts* bulk) : payloads_(payloads), bulk_(bulk) {}

  /// In the order of the values; nullptr for a part of `bulk`. Null where payloads are not expected.
  std::vector<PayloadRecord*>* payloads() { return payloads_; }
  /// Null where all stands in the bytes.
  BulkParts* bulk() { return bulk_; }
  void add_bulk(BulkPart part) {
    bulk_->parts.push_back(part);
    payloads_->push_back(nullptr);
  }

 private:
  std::vector<PayloadRecord*>* payloads_;
  BulkParts* bulk_;
};

/// With fewer, a copy into the batch costs less than a transfer of its own.
inline constexpr std::size_t kLeastBulkBytes = std::size_t{8} << 10;
inline constexpr std::uint64_t kIsApart = std::uint64_t{1} << 63;  // in a count: more elements than any memory holds

template <class T>
consteval bool find_can_be_bulk() {
  if constexpr (Assignable<T> && requires(T& value) { value.resize(1); })
    return kind<T> == Kind::sequence && is_bitwise<Element<T>>;
  else
    return false;
}
template <class T>
inline constexpr bool can_be_bulk = find_can_be_bulk<T>();

template <class T>
inline constexpr bool is_payload = false;

/// True if bytes_held() can tell how many bytes a T holds outside itself.
template <class T>
inline constexpr bool tells_bytes_held = has_fixed_size<T> || can_be_bulk<T> || is_payload<T>;

template <class T>
std::size_t bytes_held([[maybe_unused]] const T& value) {
  if constexpr (has_fixed_size<T>)
    return 0;
  else
    return value.size() * sizeof(typename T::value_type);
}

template <class Out, class T>
void pack_argument(Out& out, const T& value) {
  if constexpr (can_be_bulk<T>) {
    const std::size_t bytes = value.size() * sizeof(Element<T>);
    if (bytes >= kLeastBulkBytes && out.bulk() != nullptr) {
      out.write(static_cast<std::uint64_t>(value.size()) | kIsApart);
      // Only read from, but records of payloads know no const.
      out.add_bulk({reinterpret_cast<std::byte*>(const_cast<Element<T>*>(value.data())), bytes});
      return;
    }
  }
  (void)out(value);
}

template <class In, class T>
void unpack_argument(In& in, T& value) {
  if constexpr (can_be_bulk<T>) {
    if (in.bulk() != nullptr && in.is_next_apart()) {
      std::uint64_t count = 0;
      fetch(in.take(sizeof count), count);
      count &= ~kIsApart;
      if (count > in.bulk()->most_bytes / sizeof(Element<T>) || count * sizeof(Element<T>) < kLeastBulkBytes)
        throw_count(count, in.bulk()->most_bytes);
      value.resize(count);
      in.add_bulk({reinterpret_cast<std::byte*>(value.data()), count * sizeof(Element<T>)});
      return;
    }
  }
  (void)in(value);
}

/// All arguments of a message; together where none can be large.
template <class Out, class... T>
void pack_arguments(Out& out, const T&... values) {
  if constexpr ((can_be_bulk<T> || ...))
    (pack_argument(out, values), ...);
  else
    (void)out(values...);
}

template <class In, class... T>
void unpack_arguments(In& in, T&... values) {
  if constexpr ((can_be_bulk<T> || ...))
    (unpack_argument(in, values), ...);
  else
    (void)in(values...);
}

}  // namespace kaon::runtime::archive
