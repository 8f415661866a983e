// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/elements.hpp"

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::chares;

namespace {

constexpr std::uint64_t kHomed = 10;  // on PE 0 of four

struct Guest : ElementBase {};

std::unique_ptr<Guest> make(std::uint64_t index) {
  const ElementBase::Position position{nullptr, index};
  const ElementBase::Construction construction(position);
  return std::make_unique<Guest>();
}

/// Elements on PE 0, none of which is there yet, and three that are at home elsewhere.
struct Visited {
  Elements elements{Placement(Map::block, 4 * kHomed, 4), 0};
  std::vector<std::unique_ptr<Guest>> guests;
  Visited() {
    for (const std::uint64_t index : {20u, 30u, 39u}) elements.add(*guests.emplace_back(make(index)));
  }
  std::set<const ElementBase*> met() const {
    std::set<const ElementBase*> met;
    elements.each([&](ElementBase& element) { CHECK(met.insert(&element).second); });
    return met;
  }
};

}  // namespace

TEST_CASE("elements are found where they are, at home and as visitors", "[chares][elements]") {
  Visited visited;
  Elements& elements = visited.elements;
  const auto local = make(7);
  elements.add(*local);
  CHECK(elements.find(7) == local.get());
  CHECK(elements.find(30) == visited.guests[1].get());
  CHECK(elements.find(8) == nullptr);
  CHECK(elements.find(31) == nullptr);
  CHECK(elements.count() == 4);
  elements.remove(*local);
  elements.remove(*visited.guests[0]);
  CHECK(elements.find(7) == nullptr);
  CHECK(elements.find(20) == nullptr);
  CHECK(elements.find(39) == visited.guests[2].get());
  CHECK(visited.met() == std::set<const ElementBase*>{visited.guests[1].get(), visited.guests[2].get()});
}

TEST_CASE("visitors that come and go leave no more places than twice those that are there", "[chares][elements]") {
  Visited visited;
  Elements& elements = visited.elements;
  for (std::uint64_t round = 0; round < 100; ++round) {
    const auto other = make(kHomed + round % 10);
    elements.add(*other);
    CHECK(elements.places() <= kHomed + 8);
    elements.remove(*other);
    CHECK(elements.places() <= kHomed + 6);
    for (const auto& guest : visited.guests) CHECK(elements.find(ElementAccess::index(*guest)) == guest.get());
  }
  for (const auto& guest : visited.guests) elements.remove(*guest);
  CHECK(elements.places() == kHomed);
}

TEST_CASE("visitors keep their places until no walk is under way", "[chares][elements]") {
  Visited visited;
  Elements& elements = visited.elements;
  std::optional<Elements::Walk> first(elements), second(elements);
  elements.remove(*visited.guests[0]);
  elements.remove(*visited.guests[1]);
  first.reset();
  CHECK(elements.at_place(kHomed) == nullptr);
  CHECK(elements.at_place(kHomed + 2) == visited.guests[2].get());
  second.reset();
  CHECK(elements.places() == kHomed + 1);
  CHECK(elements.at_place(kHomed) == visited.guests[2].get());
  CHECK(elements.find(39) == visited.guests[2].get());
}
