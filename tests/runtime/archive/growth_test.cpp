// SPDX-License-Identifier: Apache-2.0
// A message of few bytes makes a reader take little memory, whatever sizes it claims; and no value that can be sent
// becomes unreadable for that.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

constexpr std::size_t kMessageBytes = 8192;
/// For each byte of a message, with what nodes and blocks of containers take beside their elements.
constexpr std::size_t kMostMemory = 160 * kMessageBytes;

std::size_t taken_now = 0, taken_most = 0;

/// Counts, and gives no more when the test has failed in any case.
template <class T>
struct Counted {
  using value_type = T;
  Counted() = default;
  template <class U>
  Counted(const Counted<U>&) {}
  T* allocate(std::size_t count) {
    if (count > (16 * kMostMemory - taken_now) / sizeof(T)) {
      taken_most = 16 * kMostMemory;
      throw std::bad_alloc();
    }
    taken_now += count * sizeof(T);
    taken_most = std::max(taken_most, taken_now);
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, std::size_t count) {
    taken_now -= count * sizeof(T);
    std::allocator<T>().deallocate(memory, count);
  }
  friend bool operator==(const Counted&, const Counted&) = default;
};

template <class T>
using Vector = std::vector<T, Counted<T>>;
template <class T>
using Deque = std::deque<T, Counted<T>>;
template <class T>
using List = std::list<T, Counted<T>>;
using String = std::basic_string<char, std::char_traits<char>, Counted<char>>;
template <class K, class V>
using Map = std::map<K, V, std::less<K>, Counted<std::pair<const K, V>>>;
template <class K, class V>
using HashMap = std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, Counted<std::pair<const K, V>>>;
template <class K>
using MultiSet = std::multiset<K, std::less<K>, Counted<K>>;
template <class K>
using HashSet = std::unordered_set<K, std::hash<K>, std::equal_to<K>, Counted<K>>;

struct Empty {
  friend bool operator<(Empty, Empty) { return false; }
};
/// Large in memory and nothing in a message, until it is filled.
struct Large {
  std::array<char, 1 << 20> room{};
  template <class Archive>
  void pup(Archive&) {}
};
struct alignas(4096) Page {
  char letter = 0;
};
using MaybeLarge = std::optional<std::array<char, 1 << 20>>;
using OneOf = std::variant<char, std::array<double, 10'000>>;

/// Counts of elements, one inside another, and bytes behind them.
std::vector<std::byte> claim(std::uint64_t count, int levels, unsigned filling) {
  std::vector<std::byte> bytes(kMessageBytes, static_cast<std::byte>(filling));
  for (int level = 0; level < levels; ++level) std::memcpy(bytes.data() + 8 * level, &count, sizeof count);
  return bytes;
}

template <class T>
std::size_t most_taken_by(const std::vector<std::byte>& bytes) {
  taken_now = taken_most = 0;
  try {
    T value;
    Reader in(bytes.data(), bytes.size());
    in(value);
  } catch (const kaon::runtime::CorruptMessage&) {
  } catch (const std::bad_alloc&) {
  }
  return taken_most;
}

template <class T>
void check_bounded() {
  for (const std::uint64_t count : {1ull, 7ull, 100ull, 1000ull, 7900ull, 65'000ull, 1ull << 20, 1ull << 40, ~0ull}) {
    for (const int levels : {1, 2, 900}) {
      for (const unsigned filling : {0u, 1u, 0xffu}) {
        CAPTURE(count, levels, filling);
        CHECK(most_taken_by<T>(claim(count, levels, filling)) <= kMostMemory);
      }
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("what a message claims takes memory in proportion to its bytes", "[archive][corrupt]",
                   Vector<MaybeLarge>, Vector<Vector<Vector<int>>>, Vector<Vector<MaybeLarge>>, Vector<String>,
                   Vector<bool>, Vector<Vector<bool>>, Vector<Empty>, Vector<Large>, Vector<Page>, Vector<OneOf>,
                   Deque<MaybeLarge>, Deque<int>, Vector<Deque<int>>, List<char>, List<MaybeLarge>, List<Large>, String,
                   (Map<char, MaybeLarge>), (Map<int, Map<int, int>>), (HashMap<int, Large>), (HashMap<int, String>),
                   MultiSet<char>, MultiSet<Empty>, HashSet<int>, HashSet<short>) {
  check_bounded<TestType>();
}

TEST_CASE("few bytes that stand for large elements do not make the reader reserve for all", "[archive][corrupt]") {
  // The claim is true as far as it can be checked, and the first element is wrong.
  using Maybe = std::optional<std::array<char, 1 << 10>>;
  const std::size_t taken = most_taken_by<Vector<Maybe>>(claim(400, 1, 2));
  CHECK(taken > 0);
  CHECK(taken <= kMessageBytes + sizeof(Maybe));
}

TEST_CASE("large elements that are packed in few bytes travel all the same", "[archive]") {
  std::vector<std::optional<std::array<char, 1 << 20>>> maybe(5);
  maybe[3].emplace()[7] = 'x';
  const auto came = round_trip(maybe);
  REQUIRE(came.size() == 5);
  CHECK((!came[0] && !came[4] && came[3] && (*came[3])[7] == 'x'));
  CHECK(round_trip(std::list<Large>(3)).size() == 3);
  CHECK(round_trip(std::map<int, Large>{{1, {}}, {2, {}}}).size() == 2);
  CHECK(round_trip(std::vector<Page>{{'a'}, {'b'}}).at(1).letter == 'b');
  const auto several = unpacked<std::tuple<std::vector<OneOf>, int>>(packed(std::vector<OneOf>(9, 'c'), 42));
  CHECK(std::get<0>(several).size() == 9);
  CHECK(std::get<1>(several) == 42);
}

TEST_CASE("small elements take no more bytes than they need", "[archive]") {
  CHECK(packed(std::vector<std::string>{"ab", ""}).size() == 8 + 8 + 2 + 8);
  CHECK(packed(std::vector<std::optional<double>>(4)).size() == 8 + 4);
  CHECK(packed(std::map<int, std::vector<int>>{{1, {}}}).size() == 8 + 4 + 8);
}

namespace {

struct Tree {
  std::vector<Tree> children;
};

Tree make_tree(int levels) {
  Tree tree;
  for (int i = 1; i < levels; ++i) {
    Tree above;
    above.children.push_back(std::move(tree));
    tree = std::move(above);
  }
  return tree;
}

}  // namespace

TEST_CASE("a tree that is too deep to be received is not sent", "[archive]") {
  CHECK(round_trip(make_tree(1000)).children.size() == 1);
  const Tree deep = make_tree(1001);
  CHECK_THROWS_WITH(packed(deep), contains_text("more than 1000 deep"));
  CHECK_THROWS_AS(packed(deep), kaon::runtime::UsageError);
  std::vector<kaon::runtime::PayloadRecord*> payloads;
  Writer collector = Writer::collector(payloads);
  collector(deep);  // of a message that stays in its process
  CHECK(payloads.empty());
}
