// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/entries/key_hash.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using kaon::chares::hash_of;

namespace kaon::testing::keys {

enum class Side : std::int8_t { left = -1, right = 1 };

struct Own {
  std::uint64_t value = 0;
  friend std::uint64_t hash_value(const Own& own) { return own.value + 1; }
};

TEST_CASE("equal keys have one hash, whatever they are made of", "[chares][key_hash]") {
  CHECK(hash_of(7) == hash_of(7));
  CHECK(hash_of(Side::left) == hash_of(Side::left));
  CHECK(hash_of(0.0) == hash_of(-0.0));
  CHECK(hash_of(std::string("halo")) == hash_of(std::string("ha") + "lo"));
  CHECK(hash_of(std::pair(1, std::string("x"))) == hash_of(std::pair(1, std::string("x"))));
  CHECK(hash_of(std::vector{1, 2}) == hash_of(std::vector{1, 2}));
  CHECK(hash_of(Own{4}) == 5);
}

TEST_CASE("keys of several parts have a hash of all of them and of their order", "[chares][key_hash]") {
  CHECK(hash_of(std::tuple(1, 2)) != hash_of(std::tuple(2, 1)));
  CHECK(hash_of(std::tuple(1, 2)) != hash_of(std::tuple(3, 2)));
  CHECK(hash_of(std::tuple(1, 2)) != hash_of(std::tuple(1, 3)));
  CHECK(hash_of(std::vector{1, 2}) != hash_of(std::vector{2, 1}));
  CHECK(hash_of(std::vector{1, 2}) != hash_of(std::vector{3, 2}));
  CHECK(hash_of(std::vector{0}) != hash_of(std::vector{1}));
}

TEST_CASE("keys of a grid's places hardly share a hash", "[chares][key_hash]") {
  std::set<std::uint64_t> hashes;
  for (int x = 0; x < 20; ++x)
    for (int y = 0; y < 20; ++y)
      for (int z = 0; z < 20; ++z) hashes.insert(hash_of(std::tuple(x, y, z)));
  CHECK(hashes.size() == 8000);
}

}  // namespace kaon::testing::keys
