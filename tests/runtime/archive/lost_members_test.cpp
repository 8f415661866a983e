// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/archive/lost_members.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "kaon/runtime/archive/archive.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::lost_members {

namespace archive = kaon::runtime::archive;
using runtime::Reader;
using runtime::Writer;

struct Whole {
  std::uint8_t kind = 0;  // and padding
  double value = 0;
  template <class Archive>
  void pup(Archive& archive) {
    archive(kind, value);
  }
};
struct Forgetful {
  std::uint8_t kind = 0;
  std::int32_t kept = 5;
  std::int32_t lost = 6;
  template <class Archive>
  void pup(Archive& archive) {
    archive(kind, kept);
  }
};
struct WithText {
  std::string text;
  template <class Archive>
  void pup(Archive& archive) {
    archive(text);
  }
};
struct Aggregate {
  int a, b;
};

static_assert(!archive::are_bytes_compared<WithText>, "its bytes are addresses");
static_assert(!archive::are_bytes_compared<Aggregate>, "Kaon itself sees to its members");
static_assert(!archive::are_bytes_compared<int>);
static_assert(archive::has_compared_bytes<std::vector<Forgetful>> == archive::are_bytes_compared<Forgetful>);

/// Another object of this value, in memory that was full of `filling`.
template <class T>
T& sent(const T& value, std::byte* memory, int filling) {
  std::byte bytes[64];
  Writer out(bytes, sizeof bytes);
  out(value);
  std::memset(memory, filling, sizeof(T));
  T& copy = *new (memory) T;
  Reader in(bytes, out.bytes());
  in(copy);
  return copy;
}

TEST_CASE("padding is no member that a pup forgets", "[runtime][archive]") {
  if constexpr (archive::are_bytes_compared<Whole>) {
    for (const int filling : {0, 0x55, 0xff}) {
      alignas(Whole) std::byte first[sizeof(Whole)], second[sizeof(Whole)];
      std::memset(first, 0x33, sizeof first);
      Whole& value = *new (first) Whole;
      value.kind = 7;
      value.value = -0.5;
      CHECK_FALSE(archive::first_lost_byte(value, sent(value, second, filling)));
    }
  }
}

TEST_CASE("a member that a pup forgets is found by its bytes", "[runtime][archive]") {
  if constexpr (archive::are_bytes_compared<Forgetful>) {
    alignas(Forgetful) std::byte memory[sizeof(Forgetful)];
    Forgetful value;
    value.lost = 8;
    CHECK(archive::first_lost_byte(value, sent(value, memory, 0x55)) == offsetof(Forgetful, lost));
    value.lost = 6;  // what the copy has anyhow
    CHECK_FALSE(archive::first_lost_byte(value, sent(value, memory, 0x55)));
  }
}

}  // namespace kaon::testing::lost_members
