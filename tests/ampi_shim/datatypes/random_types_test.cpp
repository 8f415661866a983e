// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <numeric>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "tests/ampi_shim/datatypes/random_type.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi::testing {

namespace {

/// Memory that some elements of a type lie in, wherever they begin.
struct Memory {
  Memory(RandomTypes& random, const TypeModel& model, std::int64_t count) {
    const std::int64_t last = (count - 1) * model.extent();
    const std::int64_t lowest = model.true_lower() + std::min<std::int64_t>(0, last);
    const std::int64_t highest = model.true_lower() + model.true_extent() + std::max<std::int64_t>(0, last);
    bytes.resize(static_cast<std::size_t>(highest - lowest));
    for (std::byte& byte : bytes) byte = random.byte();
    begin = -lowest;
  }
  std::byte* buffer() { return bytes.data() + begin; }

  std::vector<std::byte> bytes;
  std::int64_t begin;
};

void check_bounds(const ModelledType& made) {
  const Datatype* type = Datatype::make(made.type);
  CHECK(type->size() == made.model.size());
  CHECK(type->lower_bound() == made.model.lower());
  CHECK(type->extent() == made.model.extent());
  CHECK(type->true_lower_bound() == made.model.true_lower());
  CHECK(type->true_extent() == made.model.true_extent());
  CHECK(type->signature().elements() == static_cast<std::int64_t>(made.model.entries().size()));
  Datatype::of(type->handle())->free_handle();
}

/// In pieces of any sizes, from the first byte to the last.
void check_packing(RandomTypes& random, const ModelledType& made, std::int64_t count) {
  Datatype* type = Datatype::make(made.type);
  Memory memory(random, made.model, count);
  const std::vector<std::byte> expected = made.model.packed(memory.buffer(), count);
  std::vector<std::byte> packed(expected.size());
  type->pack(packed.data(), memory.buffer(), count);
  CHECK(packed == expected);
  std::fill(packed.begin(), packed.end(), std::byte{});
  const auto all = static_cast<std::int64_t>(expected.size());
  for (std::int64_t first = 0; first < all;) {
    const std::int64_t bytes = random.number(1, std::min<std::int64_t>(all - first, 1 + random.number(0, 300)));
    type->pack(packed.data() + first, memory.buffer(), count, first, bytes);
    first += bytes;
  }
  CHECK(packed == expected);
  if (type->is_run(count) && all > 0)
    CHECK(std::memcmp(memory.buffer() + type->run_offset(), expected.data(), expected.size()) == 0);
  type->free_handle();
}

void check_unpacking(RandomTypes& random, const ModelledType& made, std::int64_t count) {
  if (made.model.overlaps(count)) return;  // which of two values stays is not said
  Datatype* type = Datatype::make(made.type);
  Memory memory(random, made.model, count);
  Memory expected = memory;
  std::vector<std::byte> packed(static_cast<std::size_t>(made.model.size() * count));
  for (std::byte& byte : packed) byte = random.byte();
  const std::int64_t all = random.number(0, made.model.size() * count);  // a message may be shorter
  made.model.unpack(expected.buffer(), packed.data(), count, all);
  for (std::int64_t first = 0; first < all;) {
    const std::int64_t bytes = random.number(1, all - first);
    type->unpack(memory.buffer(), packed.data() + first, count, first, bytes);
    first += bytes;
  }
  CHECK(memory.bytes == expected.bytes);
  type->free_handle();
}

void check_elements(const ModelledType& made) {
  if (made.model.size() == 0) return;
  const std::int64_t most = std::min<std::int64_t>(2 * made.model.size(), 400);
  for (std::int64_t bytes = 0; bytes <= most; ++bytes) {
    const auto elements = made.model.elements_in(bytes);
    REQUIRE(elements_in(*made.type, bytes) == elements.value_or(MPI_UNDEFINED));
    if (elements) REQUIRE(bytes_of_elements(*made.type, *elements) == bytes);
  }
}

}  // namespace

TEST_CASE("types made of types by chance are what the standard's lists say", "[ampi][datatypes]") {
  const int seed = GENERATE(range(0, 400));
  CAPTURE(seed);
  RandomTypes random(static_cast<unsigned>(seed));
  const ModelledType made = random.make(1 + seed % 4);
  const std::int64_t count = random.number(1, 4);
  check_bounds(made);
  check_packing(random, made, 1);
  check_packing(random, made, count);
  check_unpacking(random, made, count);
  check_elements(made);
}

TEST_CASE("elements of one type are copied to elements of another", "[ampi][datatypes]") {
  const int seed = GENERATE(range(0, 100));
  CAPTURE(seed);
  RandomTypes random(static_cast<unsigned>(seed) + 1000);
  const ModelledType from = random.make(3);
  const ModelledType to = random.make(3);
  const std::int64_t count = 40;
  if (to.model.size() == 0 || to.model.overlaps(count)) return;
  Datatype* from_type = Datatype::make(from.type);
  Datatype* to_type = Datatype::make(to.type);
  Memory source(random, from.model, count);
  Memory target(random, to.model, count);
  Memory expected = target;
  const std::vector<std::byte> packed = from.model.packed(source.buffer(), count);
  const std::int64_t bytes = std::min<std::int64_t>(static_cast<std::int64_t>(packed.size()), count * to.model.size());
  to.model.unpack(expected.buffer(), packed.data(), count, bytes);
  copy_elements(target.buffer(), count, *to_type, source.buffer(), count, *from_type, bytes);
  CHECK(target.bytes == expected.bytes);
  from_type->free_handle();
  to_type->free_handle();
}

TEST_CASE("signatures are equal when the basic types are, in their order", "[ampi][datatypes]") {
  RandomTypes random(7);
  std::vector<ModelledType> types;
  for (int i = 0; i < 150; ++i) types.push_back(random.make(2));
  int equal = 0;
  for (const ModelledType& a : types)
    for (const ModelledType& b : types) {
      if (a.type->signature.is_bytes() || b.type->signature.is_bytes()) continue;
      const bool is_equal = a.model.signature() == b.model.signature();
      equal += is_equal && &a != &b;
      CHECK(a.type->signature.matches(b.type->signature) == is_equal);
    }
  CHECK(equal > 10);  // others than themselves
}

}  // namespace kaon::ampi::testing
