// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/region.hpp"

#include <memory>
#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::gpu;

namespace {

std::shared_ptr<Region> make_region(std::byte* base, std::size_t bytes) {
  auto region = std::make_shared<Region>();
  region->base = base;
  region->bytes = bytes;
  return region;
}

}  // namespace

TEST_CASE("a region is found by any of its bytes, the innermost first", "[device][region]") {
  std::vector<std::byte> memory(1000);
  const auto outer = make_region(memory.data(), 900), inner = make_region(memory.data() + 100, 50),
             other = make_region(memory.data() + 950, 50);
  RegionTable table;
  RegionView view(table);
  CHECK(view.find(memory.data()) == nullptr);
  for (const auto& region : {other, outer, inner}) table.add(region);
  CHECK(view.find(memory.data()) == outer.get());
  CHECK(view.find(memory.data() + 100) == inner.get());
  CHECK(view.find(memory.data() + 149) == inner.get());
  CHECK(view.find(memory.data() + 150) == outer.get());
  CHECK(view.find(memory.data() + 899) == outer.get());
  CHECK(view.find(memory.data() + 900) == nullptr);
  CHECK(view.find(memory.data() + 950) == other.get());
  table.remove(*inner);
  CHECK(view.find(memory.data() + 100) == outer.get());
  table.remove(*outer);
  CHECK(view.find(memory.data() + 100) == nullptr);
}

TEST_CASE("a region that was removed ends when every view has looked again", "[device][region]") {
  std::vector<std::byte> memory(1000);
  RegionTable table;
  RegionView one(table), two(table);
  auto region = make_region(memory.data(), 900);
  const std::weak_ptr<Region> watched = region;
  table.add(region);
  CHECK(one.find(memory.data()) == region.get());
  CHECK(two.find(memory.data()) == region.get());
  table.remove(*region);
  region.reset();
  CHECK_FALSE(watched.expired());  // somebody may just have found it
  CHECK(one.find(memory.data()) == nullptr);
  CHECK_FALSE(watched.expired());
  CHECK(two.find(memory.data()) == nullptr);
  CHECK(watched.expired());
}
