// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

struct Inner {
  bool flag;
  double value;
  std::string text;
};
struct Nothing {
  template <class Archive>
  void pup(Archive&) {}
};
struct Throws {
  Throws() = default;
  explicit Throws(int) { throw 1; }
  std::string text;  // not trivial: the standard library keeps the old value of a variant where the new one is
  template <class Archive>
  void pup(Archive&) {}
};
struct Tree {
  std::vector<Tree> children;
};
using Complex = std::tuple<int, std::vector<double>, std::vector<Inner>, std::map<std::string, std::vector<int>>,
                           std::optional<Inner>, std::variant<int, std::string>, std::vector<bool>, std::bitset<20>,
                           std::list<Nothing>, std::unordered_map<int, bool>, std::deque<std::string>>;

Complex example() {
  return Complex(1, {1, 2, 3}, {{true, 0.5, "a"}, {false, 0.25, "bc"}}, {{"key", {1, 2}}, {"other", {}}},
                 Inner{true, 1, "optional"}, std::string("variant"), {true, false, true}, std::bitset<20>(5),
                 std::list<Nothing>(3), {{1, true}, {2, false}}, {"x", "yz"});
}

// In memory of exactly this size, so that AddressSanitizer sees one byte too many.
template <class T>
void read_from(const std::vector<std::byte>& bytes) {
  T value = T();
  Reader(bytes.data(), bytes.size())(value);
}

std::vector<std::byte> claim(std::uint64_t count, std::size_t bytes_behind = 0) {
  std::vector<std::byte> bytes = packed(count);
  bytes.resize(bytes.size() + bytes_behind);
  return bytes;
}

TEST_CASE("a message cut off anywhere is reported as corrupt", "[archive]") {
  const std::vector<std::byte> whole = packed(example());
  for (std::size_t length = 0; length != whole.size(); ++length) {
    const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_THROWS_AS(read_from<Complex>(cut), CorruptMessage);
  }
  CHECK_NOTHROW(read_from<Complex>(whole));
}

TEST_CASE("a message with any byte changed is read or reported, nothing else", "[archive]") {
  const std::vector<std::byte> whole = packed(example());
  std::size_t reported = 0;
  for (std::size_t at = 0; at != whole.size(); ++at) {
    for (const std::byte change : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
      std::vector<std::byte> changed = whole;
      changed[at] ^= change;
      try {
        read_from<Complex>(changed);
      } catch (const CorruptMessage&) {
        ++reported;
      }
    }
  }
  CHECK(reported > whole.size() / 4);  // counts, flags and indices are a good part of these bytes
}

TEST_CASE("a claimed count is compared with the bytes that remain before anything is allocated", "[archive]") {
  for (const std::uint64_t count :
       {std::uint64_t{3}, std::uint64_t{1} << 40, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    CHECK_THROWS_AS(read_from<std::string>(claim(count, 2)), CorruptMessage);
    CHECK_THROWS_AS(read_from<std::vector<double>>(claim(count, 23)), CorruptMessage);
    CHECK_THROWS_AS(read_from<std::vector<std::string>>(claim(count, 23)), CorruptMessage);
    CHECK_THROWS_AS(read_from<std::vector<Nothing>>(claim(count, 2)), CorruptMessage);
    CHECK_THROWS_AS(read_from<std::vector<std::tuple<>>>(claim(count, 2)), CorruptMessage);
    CHECK_THROWS_AS((read_from<std::map<int, std::string>>(claim(count, 35))), CorruptMessage);
    CHECK_THROWS_AS(read_from<std::set<bool>>(claim(count, 2)), CorruptMessage);
  }
  CHECK_THROWS_AS(read_from<std::vector<bool>>(claim(17, 2)), CorruptMessage);
  CHECK_THROWS_AS(read_from<std::vector<bool>>(claim(~std::uint64_t{0}, 2)), CorruptMessage);
}

TEST_CASE("bytes that are no value of their type are reported", "[archive]") {
  const std::vector<std::byte> two{std::byte{2}};
  CHECK_THROWS_AS(read_from<bool>(two), CorruptMessage);
  CHECK_THROWS_AS(read_from<std::optional<std::tuple<>>>(two), CorruptMessage);
  CHECK_THROWS_AS((read_from<std::variant<std::tuple<>, std::monostate>>(two)), CorruptMessage);
  CHECK_THROWS_AS(read_from<std::set<int>>(packed(std::vector<int>{4, 4})), CorruptMessage);
}

TEST_CASE("a variant that lost its value is reported where it arrives", "[archive]") {
  std::variant<int, Throws> lost;
  CHECK_THROWS_AS(lost.emplace<1>(7), int);
  REQUIRE(lost.valueless_by_exception());
  CHECK_THROWS_AS((unpacked<std::variant<int, Throws>>(packed(lost))), CorruptMessage);
}

TEST_CASE("containers nested without end do not exhaust the stack", "[archive]") {
  std::vector<std::byte> bytes;
  for (int level = 0; level != 100000; ++level) {
    const std::vector<std::byte> one = packed(std::uint64_t{1});
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  CHECK_THROWS_AS(read_from<Tree>(bytes), CorruptMessage);
}

TEST_CASE("the report says what is wrong and what to look at", "[archive]") {
  std::string said;
  try {
    read_from<std::string>(claim(7, 2));
  } catch (const CorruptMessage& error) {
    said = error.what();
  }
  CHECK(said.find("claims 7 elements") != std::string::npos);
  CHECK(said.find("pup") != std::string::npos);
}

}  // namespace
