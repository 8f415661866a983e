// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/runtime/archive/associative.hpp"
#include "kaon/runtime/archive/bits.hpp"
#include "kaon/runtime/archive/bulk.hpp"
#include "kaon/runtime/archive/check.hpp"
#include "kaon/runtime/archive/choice.hpp"
#include "kaon/runtime/archive/fixed.hpp"
#include "kaon/runtime/archive/parts.hpp"
#include "kaon/runtime/archive/pointers.hpp"
#include "kaon/runtime/archive/sequence.hpp"
#include "kaon/runtime/archive/shared_objects.hpp"
#include "kaon/runtime/archive/user.hpp"
#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::runtime::archive {

// One more container inside another, while it lives. Each takes stack; a type that holds containers of itself must not
// let a few bytes a level exhaust it, so what is deeper is neither sent nor received.
class Level {
 public:
  explicit Level(int& levels) : levels_(levels) { ++levels_; }
  ~Level() { --levels_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  bool is_too_deep() const { return levels_ > kMost; }

 private:
  static constexpr int kMost = 1000;
  int& levels_;
};

}  // namespace kaon::runtime::archive

// Arguments become bytes only between processes. One description of a type (pup, serialize, the members of an
// aggregate) serves both directions; the bytes are those of this machine, since all processes run the same program.
namespace kaon::runtime {

struct PayloadRecord;

// Packs into memory it is given. When that is too small it goes on counting and writes no more, so that one failed
// attempt tells the size to get.
class Writer final : public archive::Apart, public archive::KnowsObjects<archive::WrittenObjects> {
 public:
  static constexpr bool is_loading = false;
  static constexpr bool is_saving = true;

  Writer(std::byte* begin, std::size_t capacity, std::vector<PayloadRecord*>* payloads = nullptr,
         archive::BulkParts* bulk = nullptr, PeId destination = kNoPe)
      : Apart(payloads, bulk), begin_(begin), capacity_(capacity), destination_(destination) {}
  // One that writes nothing and finds every payload in the values, also those that would travel among the bytes, and
  // nullptr for one without memory.
  static Writer collector(std::vector<PayloadRecord*>& payloads) {
    Writer writer(nullptr, 0, &payloads);
    writer.collects_payloads_ = true;
    return writer;
  }
  bool collects_payloads() const { return collects_payloads_; }
  // One for values that end then: their payloads are taken from them, and belong to who has the list. Made after a
  // Writer without memory has counted the bytes, which takes none.
  static Writer taker(std::byte* begin, std::size_t capacity, std::vector<PayloadRecord*>& payloads) {
    Writer writer(begin, capacity, &payloads);
    writer.takes_payloads_ = true;
    return writer;
  }
  bool takes_payloads() const { return takes_payloads_; }
  bool only_counts() const { return begin_ == nullptr; }
  // What a collector finds in the memory of a device that is no payload yet.
  void note_device_bytes(std::size_t bytes) { device_bytes_ += bytes; }
  std::size_t device_bytes() const { return device_bytes_; }
  // Of another process, to which the bytes go; kNoPe: they stay in this one.
  PeId destination() const { return destination_; }

  template <class... T>
  Writer& operator()(const T&... values) {
    write_all(archive::without_name(values)...);
    return *this;
  }
  template <class T>
  Writer& operator&(const T& value) {
    return (*this)(value);
  }
  template <class T>
  Writer& operator<<(const T& value) {
    return (*this)(value);
  }

  void raw(const void* from, std::size_t bytes) {
    std::byte* at = room(bytes);
    if (at != nullptr && bytes - 1 < capacity_) {  // not zero; and g++ sees that a Writer without memory copies none
      std::memcpy(at, from, bytes);
    }
  }

  // Bytes needed in all, whether they fit or not.
  std::size_t bytes() const { return bytes_; }
  bool fits() const { return bytes_ <= capacity_; }

  // For the packing of containers: the place of the next bytes, null when they do not fit; one value; zeros up to a
  // size.
  std::byte* room(std::size_t bytes) { return claim(bytes) ? begin_ + (bytes_ - bytes) : nullptr; }
  template <class T>
  void write(const T& value);
  void pad(std::size_t bytes) {
    if (bytes <= bytes_) {
      return;
    }
    const std::size_t missing = bytes - bytes_;
    if (std::byte* at = room(missing)) {
      std::memset(at, 0, missing);
    }
  }

 private:
  bool claim(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ <= capacity_;
  }
  template <class... T>
  void write_all(const T&... values) {
    if constexpr ((require_serializable<T>() && ...)) {
      if constexpr ((archive::has_fixed_size<T> && ...)) {
        constexpr std::size_t kBytes = (archive::fixed_size<T> + ... + 0);
        if (claim(kBytes)) {
          std::byte* at = begin_ + (bytes_ - kBytes);
          ((at = archive::place(at, values)), ...);
        }
      } else {
        (write(values), ...);
      }
    }
  }

  template <class T>
  void write_nested(const T& value);

  std::byte* begin_;
  std::size_t capacity_;
  std::size_t bytes_ = 0;
  PeId destination_;
  std::size_t device_bytes_ = 0;
  bool collects_payloads_ = false;
  bool takes_payloads_ = false;
  int levels_ = 0;
};

// Unpacks bytes that came from elsewhere: believes no length before it is checked, and throws CorruptMessage for bytes
// that no Writer made.
class Reader final : public archive::Apart, public archive::KnowsObjects<archive::ReadObjects> {
 public:
  static constexpr bool is_loading = true;
  static constexpr bool is_saving = false;

  Reader(const std::byte* begin, std::size_t bytes, std::vector<PayloadRecord*>* payloads = nullptr,
         archive::BulkParts* bulk = nullptr)
      : Apart(payloads, bulk), at_(begin), end_(begin + bytes) {}
  // Of what a Writer has taken the payloads of, which have come: in the list, where nullptr stays of each.
  // Those before `first` are of others.
  static Reader bringer(const std::byte* begin, std::size_t bytes, std::vector<PayloadRecord*>& payloads,
                        std::size_t first = 0) {
    Reader reader(begin, bytes, &payloads);
    reader.next_payload_ = first;
    reader.brings_payloads_ = true;
    return reader;
  }
  bool brings_payloads() const { return brings_payloads_; }
  std::size_t next_payload() const { return next_payload_; }
  PayloadRecord* take_payload() {
    if (!brings_payloads_ || next_payload_ == payloads()->size()) [[unlikely]] {
      archive::throw_value("a payload that did not come with it");
    }
    return std::exchange((*payloads())[next_payload_++], nullptr);
  }

  // The values are lvalues, or temporaries that stand for one (a name and a reference).
  template <class... T>
  Reader& operator()(T&&... values) {
    read_all(archive::without_name(values)...);
    return *this;
  }
  template <class T>
  Reader& operator&(T&& value) {
    return (*this)(value);
  }
  template <class T>
  Reader& operator>>(T&& value) {
    return (*this)(value);
  }

  void raw(void* to, std::size_t bytes) {
    const std::byte* from = take(bytes);
    if (bytes != 0) {
      std::memcpy(to, from, bytes);
    }
  }

  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }

  // A view of the next bytes, which live as long as the memory being read.
  const std::byte* take(std::size_t bytes) {
    if (bytes > remaining()) [[unlikely]] {
      archive::throw_truncated(bytes, remaining());
    }
    const std::byte* from = at_;
    at_ += bytes;
    return from;
  }

  // Whether the next value is the count of a container whose elements travel beside the bytes.
  bool is_next_apart() const {
    std::uint64_t count = 0;
    if (remaining() < sizeof count) return false;
    archive::fetch(at_, count);
    return (count & archive::kIsApart) != 0;
  }

  // For the unpacking of containers: one value; a claimed number of elements that take at least LeastBytes each; the
  // padding behind elements that took fewer bytes than there are of them.
  template <class T>
  void read(T& value);
  template <std::size_t LeastBytes>
  std::size_t count() {
    std::uint64_t claimed = 0;
    archive::fetch(take(sizeof(claimed)), claimed);
    if (claimed > remaining() / LeastBytes) [[unlikely]] {
      archive::throw_count(claimed, remaining());
    }
    return claimed;
  }
  template <class ElementParts>
  void skip_padding(std::size_t remaining_before, std::size_t count) {
    if constexpr (archive::is_padded<ElementParts>) {
      const std::size_t taken = remaining_before - remaining();
      const std::size_t least = count * archive::least_share<ElementParts>;
      take(least > taken ? least - taken : 0);
    }
  }

 private:
  template <class... T>
  void read_all(T&... values) {
    static_assert((!std::is_const_v<T> && ...),
                  "a const value cannot be read into: drop the const, or take a copy that is not const");
    if constexpr ((require_serializable<T>() && ...) && (!std::is_const_v<T> && ...)) {
      if constexpr ((archive::has_fixed_size<T> && ...)) {
        constexpr std::size_t kBytes = (archive::fixed_size<T> + ... + 0);
        const std::byte* from = take(kBytes);
        ((from = archive::fetch(from, values)), ...);
      } else {
        (read(values), ...);
      }
    }
  }
  template <class T>
  void read_nested(T& value);

  const std::byte* at_;
  const std::byte* end_;
  std::size_t next_payload_ = 0;
  bool brings_payloads_ = false;
  int levels_ = 0;
};

}  // namespace kaon::runtime

#include "kaon/runtime/archive/values.hpp"  // IWYU pragma: export
