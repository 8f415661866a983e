// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/external32.hpp"

#include <cstring>
#include <limits>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "tests/ampi_shim/datatypes/random_type.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi::testing {

namespace {

using Bytes = std::vector<unsigned char>;

const TypeDefinition& definition(MPI_Datatype handle) { return Datatype::of(handle)->definition(); }

template <class T>
Bytes external(MPI_Datatype handle, const T& value) {
  const TypeDefinition& type = definition(handle);
  Bytes bytes(static_cast<std::size_t>(type.external_bytes));
  pack_external32(reinterpret_cast<char*>(bytes.data()), &value, 1, type);
  T back{};
  unpack_external32(&back, reinterpret_cast<const char*>(bytes.data()), 1, type);
  CHECK(std::memcmp(&back, &value, static_cast<std::size_t>(type.size)) == 0);
  return bytes;
}

}  // namespace

TEST_CASE("external32 has the bytes of the standard", "[ampi][external32]") {
  CHECK(external<int>(MPI_INT, 0x01020304) == Bytes{1, 2, 3, 4});
  CHECK(external<int>(MPI_INT, -2) == Bytes{0xff, 0xff, 0xff, 0xfe});
  CHECK(external<short>(MPI_SHORT, 0x0102) == Bytes{1, 2});
  CHECK(external<char>(MPI_CHAR, 'A') == Bytes{0x41});
  CHECK(external<long long>(MPI_LONG_LONG, 0x0102030405060708) == Bytes{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(external<MPI_Aint>(MPI_AINT, 1) == Bytes{0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(external<float>(MPI_FLOAT, 1.0F) == Bytes{0x3f, 0x80, 0, 0});
  CHECK(external<double>(MPI_DOUBLE, -2.5) == Bytes{0xc0, 0x04, 0, 0, 0, 0, 0, 0});
  CHECK(external<bool>(MPI_C_BOOL, true) == Bytes{1});
}

TEST_CASE("external32 has four bytes for a long and two for a wide character", "[ampi][external32]") {
  CHECK(external<long>(MPI_LONG, -3) == Bytes{0xff, 0xff, 0xff, 0xfd});
  CHECK(external<long>(MPI_LONG, 0x11223344) == Bytes{0x11, 0x22, 0x33, 0x44});
  CHECK(external<unsigned long>(MPI_UNSIGNED_LONG, 0xfffffffe) == Bytes{0xff, 0xff, 0xff, 0xfe});
  CHECK(external<wchar_t>(MPI_WCHAR, L'A') == Bytes{0, 0x41});
}

TEST_CASE("a long double is a quadruple in external32", "[ampi][external32]") {
  const Bytes one{0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const Bytes minus_one_and_a_half{0xbf, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const TypeDefinition& type = definition(MPI_LONG_DOUBLE);
  for (const auto& [value, expected] : {std::pair{1.0L, one}, std::pair{-1.5L, minus_one_and_a_half}}) {
    Bytes bytes(16);
    pack_external32(reinterpret_cast<char*>(bytes.data()), &value, 1, type);
    CHECK(bytes == expected);
    long double back = 0;
    unpack_external32(&back, reinterpret_cast<const char*>(bytes.data()), 1, type);
    CHECK(back == value);
  }
  const long double third = 1.0L / 3;
  char bytes[16];
  pack_external32(bytes, &third, 1, type);
  long double back = 0;
  unpack_external32(&back, bytes, 1, type);
  CHECK(back == third);
}

TEST_CASE("each part of a complex number and of a pair is converted", "[ampi][external32]") {
  const float complex[2] = {1.0F, -2.0F};
  Bytes bytes(8);
  pack_external32(reinterpret_cast<char*>(bytes.data()), complex, 1, definition(MPI_C_FLOAT_COMPLEX));
  CHECK(bytes == Bytes{0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0});
  struct Pair {
    double value;
    int index;
  } const pair{-2.5, 7};
  bytes.resize(12);
  REQUIRE(definition(MPI_DOUBLE_INT).external_bytes == 12);
  pack_external32(reinterpret_cast<char*>(bytes.data()), &pair, 1, definition(MPI_DOUBLE_INT));
  CHECK(bytes == Bytes{0xc0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7});
}

TEST_CASE("a derived type is converted element by element", "[ampi][external32]") {
  const TypeDefinitionPtr type = vector(CountForm::kInt, 2, 1, 2, Datatype::of(MPI_SHORT)->shared_definition());
  const short values[6] = {1, 2, 3, 4, 5, 6};  // elements are three shorts apart: 1, 3 and 4, 6
  Bytes bytes(8);
  pack_external32(reinterpret_cast<char*>(bytes.data()), values, 2, *type);
  CHECK(bytes == Bytes{0, 1, 0, 3, 0, 4, 0, 6});
  short back[6] = {};
  unpack_external32(back, reinterpret_cast<const char*>(bytes.data()), 2, *type);
  CHECK((back[0] == 1 && back[1] == 0 && back[2] == 3 && back[3] == 4 && back[4] == 0 && back[5] == 6));
}

TEST_CASE("what is packed in external32 comes back, whatever the type", "[ampi][external32]") {
  const int seed = GENERATE(range(0, 60));
  CAPTURE(seed);
  RandomTypes random(static_cast<unsigned>(seed) + 500);
  const ModelledType made = random.make(3);
  if (made.model.overlaps(1)) return;
  std::vector<std::byte> memory(static_cast<std::size_t>(made.model.true_extent()));
  // Small numbers of any type, which also four bytes can hold.
  for (const TypeModel::Entry& entry : made.model.entries())
    memory[static_cast<std::size_t>(entry.displacement - made.model.true_lower())] = random.byte() & std::byte{0x7f};
  for (const TypeModel::Entry& entry : made.model.entries()) {
    if (entry.type != MPI_LONG_DOUBLE) continue;
    const auto value = static_cast<long double>(random.number(-9, 9));
    std::memcpy(&memory[static_cast<std::size_t>(entry.displacement - made.model.true_lower())], &value, 10);
  }
  std::vector<char> bytes(static_cast<std::size_t>(made.type->external_bytes));
  pack_external32(bytes.data(), memory.data() - made.model.true_lower(), 1, *made.type);
  std::vector<std::byte> back(memory.size());
  unpack_external32(back.data() - made.model.true_lower(), bytes.data(), 1, *made.type);
  CHECK(back == memory);
}

}  // namespace kaon::ampi::testing
