// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/parcels.hpp"

#include <cstdint>
#include <cstring>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::parcels {

using chares::ParcelBytes;
using chares::ParcelReader;
using chares::Parcels;

/// Of `bytes` in all, whose reader goes on at `place`.
ParcelBytes parcel(std::size_t bytes, std::uint32_t place) {
  ParcelBytes made(bytes);
  if (bytes >= sizeof place) std::memcpy(made.data(), &place, sizeof place);
  return made;
}

TEST_CASE("a parcel is read from where the last reader left it to its end", "[aggregation]") {
  ParcelBytes bytes = parcel(Parcels::kFirstItem + 8, Parcels::kFirstItem);
  ParcelReader first(bytes);
  CHECK(first.take(5) == bytes.data() + Parcels::kFirstItem);
  CHECK_FALSE(first.is_at_end());
  first.leave_off();
  ParcelReader second(bytes);
  CHECK(second.take(3) == bytes.data() + Parcels::kFirstItem + 5);
  CHECK(second.is_at_end());
  second.leave_off();
  CHECK(ParcelReader(bytes).is_at_end());
}

TEST_CASE("a parcel that ends too early is refused", "[aggregation][bad input]") {
  ParcelBytes too_short = parcel(Parcels::kFirstItem - 1, 0);
  CHECK_THROWS_AS(ParcelReader(too_short), CorruptMessage);
  ParcelBytes begun_before = parcel(12, Parcels::kFirstItem - 1), behind = parcel(12, 13);
  CHECK_THROWS_AS(ParcelReader(begun_before), CorruptMessage);
  CHECK_THROWS_AS(ParcelReader(behind), CorruptMessage);
  ParcelBytes bytes = parcel(12, Parcels::kFirstItem);
  ParcelReader reader(bytes);
  CHECK_THROWS_AS(reader.take(9), CorruptMessage);
  CHECK(reader.take(8) != nullptr);
}

}  // namespace kaon::testing::parcels
