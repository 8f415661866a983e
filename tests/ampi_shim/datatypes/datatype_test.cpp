// SPDX-License-Identifier: Apache-2.0
// threads: a type that several use, the last of which ends it
#include "kaon/ampi_shim/datatypes/datatype.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/datatypes/predefined_datatypes.hpp"
#include "tests/support/catch.hpp"
// threads: types that ranks of several threads use and let go

namespace kaon::ampi::testing {

namespace {

constexpr auto kForm = CountForm::kInt;

const TypeDefinitionPtr& of(MPI_Datatype handle) { return Datatype::of(handle)->shared_definition(); }

template <class Make>
int fault_of(Make make) {
  try {
    make();
  } catch (const MpiFault& fault) {
    return fault.error_class();
  }
  return MPI_SUCCESS;
}

}  // namespace

TEST_CASE("predefined types have the sizes of C, and their names", "[ampi][datatypes]") {
  struct Expected {
    MPI_Datatype handle;
    std::size_t bytes;
    const char* name;
  };
  const Expected all[] = {{MPI_INT, sizeof(int), "MPI_INT"},
                          {MPI_CHAR, 1, "MPI_CHAR"},
                          {MPI_LONG, sizeof(long), "MPI_LONG"},
                          {MPI_WCHAR, sizeof(wchar_t), "MPI_WCHAR"},
                          {MPI_LONG_DOUBLE, sizeof(long double), "MPI_LONG_DOUBLE"},
                          {MPI_C_BOOL, 1, "MPI_C_BOOL"},
                          {MPI_AINT, sizeof(MPI_Aint), "MPI_AINT"},
                          {MPI_PACKED, 1, "MPI_PACKED"},
                          {MPI_LONG_LONG, 8, "MPI_LONG_LONG_INT"},
                          {MPI_C_FLOAT_COMPLEX, 8, "MPI_C_COMPLEX"},
                          {MPI_REAL16, 16, "MPI_REAL16"},
                          {MPI_COMPLEX32, 32, "MPI_COMPLEX32"},
                          {MPI_DOUBLE_PRECISION, sizeof(double), "MPI_DOUBLE_PRECISION"}};
  for (const Expected& each : all) {
    const Datatype* type = Datatype::of(each.handle);
    REQUIRE(type != nullptr);
    CHECK(type->size() == static_cast<std::int64_t>(each.bytes));
    CHECK(type->extent() == type->size());
    CHECK(type->name() == each.name);
    CHECK(type->handle() == each.handle);
    CHECK(type->is_committed());
    CHECK(type->is_run(1000));
  }
}

TEST_CASE("an extent may be negative, and types made of it go backwards", "[ampi][datatypes]") {
  const TypeDefinitionPtr backwards = resized(kForm, of(MPI_INT), 6, -9);
  CHECK(backwards->bounds.extent() == -9);
  const TypeDefinitionPtr three = contiguous(kForm, 3, backwards);
  CHECK(three->bounds.lower == -12);
  CHECK(three->bounds.extent() == 9);
  CHECK(three->bounds.true_lower == -18);
  const TypeDefinitionPtr blocks = vector(kForm, 3, 4, -5, backwards);
  CHECK(blocks->bounds.lower == -21);
  CHECK(blocks->bounds.extent() == 108);
}

TEST_CASE("the numbers of an integer tell its bytes by the ABI's rule", "[ampi][datatypes]") {
  // Handles of fixed-size types have the logarithm of their bytes in three bits.
  for (const BasicType& type : basic_types()) {
    const auto number = reinterpret_cast<std::uintptr_t>(type.handle);
    if (number >= 0x240) CHECK(type.bytes() == 1 << (number >> 3 & 7));
  }
}

TEST_CASE("pairs lie in memory as C has them", "[ampi][datatypes]") {
  struct DoubleInt {
    double value;
    int index;
  };
  struct ShortInt {
    short value;
    int index;
  };
  struct LongDoubleInt {
    long double value;
    int index;
  };
  const auto check = [](MPI_Datatype handle, std::size_t bytes, std::size_t extent, std::size_t true_extent) {
    const Datatype& type = *Datatype::of(handle);
    CHECK(type.size() == static_cast<std::int64_t>(bytes));
    CHECK(type.extent() == static_cast<std::int64_t>(extent));
    CHECK(type.true_extent() == static_cast<std::int64_t>(true_extent));
    CHECK(type.signature().elements() == 2);
  };
  check(MPI_DOUBLE_INT, 12, sizeof(DoubleInt), offsetof(DoubleInt, index) + sizeof(int));
  check(MPI_SHORT_INT, 6, sizeof(ShortInt), sizeof(ShortInt));
  check(MPI_LONG_DOUBLE_INT, sizeof(long double) + 4, sizeof(LongDoubleInt), offsetof(LongDoubleInt, index) + 4);
  check(MPI_2INT, 8, 8, 8);
}

TEST_CASE("what is no datatype is told", "[ampi][datatypes]") {
  CHECK(Datatype::of(MPI_DATATYPE_NULL) == nullptr);
  CHECK(Datatype::of(nullptr) == nullptr);
  CHECK(Datatype::of(reinterpret_cast<MPI_Datatype>(MPI_SUM)) == nullptr);
  CHECK(Datatype::of(reinterpret_cast<MPI_Datatype>(std::uintptr_t{0x3ff})) == nullptr);
  alignas(64) std::uint64_t words[16] = {1, 2, 3};
  CHECK(Datatype::of(reinterpret_cast<MPI_Datatype>(words)) == nullptr);
  CHECK(Datatype::of(reinterpret_cast<MPI_Datatype>(reinterpret_cast<char*>(words) + 1)) == nullptr);
}

TEST_CASE("a freed type is told from one that lives, and lives on in what is made of it", "[ampi][datatypes]") {
  Datatype* inner = Datatype::make(vector(kForm, 2, 1, 2, of(MPI_INT)));
  Datatype* outer = Datatype::make(contiguous(kForm, 2, inner->shared_definition()));
  const MPI_Datatype handle = inner->handle();
  CHECK(Datatype::of(handle) == inner);
  inner->free_handle();
  CHECK(Datatype::of(handle) == nullptr);
  const int values[] = {1, 2, 3, 4, 5, 6};
  int packed[4] = {};
  outer->pack(packed, values, 1);
  CHECK((packed[0] == 1 && packed[1] == 3 && packed[2] == 4 && packed[3] == 6));
  outer->free_handle();
}

TEST_CASE("a type made of ten thousand types ends on a small stack", "[ampi][datatypes]") {
  TypeDefinitionPtr type = of(MPI_INT);
  for (int i = 0; i < 10'000; ++i) type = duplicate(type);
  CHECK(type->size == 4);
  type.reset();
}

TEST_CASE("threads use and let go of types that their rank has freed", "[ampi][datatypes]") {
  for (int round = 0; round < 50; ++round) {
    Datatype* type = Datatype::make(vector(kForm, 3, 1, 2, of(MPI_INT)));
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([ref = TypeRef(*type)] {
        const int values[] = {1, 2, 3, 4, 5};
        int packed[3] = {};
        const TypeRef other = ref;
        other->pack(packed, values, 1);
        if (packed[0] + packed[1] + packed[2] != 9) std::abort();
      });
    type->free_handle();
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_CASE("types that are one run of bytes say so", "[ampi][datatypes]") {
  const auto is_run = [](const TypeDefinitionPtr& type, std::int64_t count) { return type->is_run(count); };
  CHECK(is_run(contiguous(kForm, 1000, of(MPI_DOUBLE)), 50));
  CHECK(is_run(vector(kForm, 10, 3, 3, of(MPI_INT)), 2));
  const int lengths[] = {2, 3};
  const int places[] = {1, 3};
  const TypeDefinitionPtr moved = indexed(kForm, 2, lengths, places, of(MPI_INT));
  CHECK(is_run(moved, 2));
  CHECK(moved->layout.offset == 4);
  const TypeDefinitionPtr wide = resized(kForm, of(MPI_INT), 0, 8);
  CHECK(is_run(wide, 1));
  CHECK_FALSE(is_run(wide, 2));
  CHECK_FALSE(is_run(vector(kForm, 2, 1, 2, of(MPI_INT)), 1));
  const int backwards[] = {1, 0};
  CHECK_FALSE(is_run(indexed_block(kForm, 2, 1, backwards, of(MPI_INT)), 1));
}

TEST_CASE("displacements may be addresses, of a buffer that is MPI_BOTTOM", "[ampi][datatypes]") {
  const int values[] = {1, 2, 3, 4};
  const double other = 5;
  const int lengths[] = {1, 2, 1};
  const MPI_Aint places[] = {reinterpret_cast<MPI_Aint>(&values[3]), reinterpret_cast<MPI_Aint>(&values[0]),
                             reinterpret_cast<MPI_Aint>(&other)};
  Datatype* type = Datatype::make(structure(kForm, lengths, places, {of(MPI_INT), of(MPI_INT), of(MPI_DOUBLE)}));
  char packed[20];
  type->pack(packed, MPI_BOTTOM, 1);
  const int expected[] = {4, 1, 2};
  CHECK(std::memcmp(packed, expected, sizeof expected) == 0);
  CHECK(std::memcmp(packed + 12, &other, 8) == 0);
  Datatype* run = Datatype::make(hindexed(kForm, 1, &lengths[1], &places[1], of(MPI_INT)));
  CHECK(run->is_run(1));
  CHECK(run->run_at(MPI_BOTTOM) == &values[0]);
  type->free_handle();
  run->free_handle();
}

TEST_CASE("regular types are one loop, however many elements they have", "[ampi][datatypes]") {
  const TypeDefinitionPtr column = vector(kForm, 1'000'000, 1, 1000, of(MPI_DOUBLE));
  CHECK(column->layout.is_strided());
  CHECK(column->layout.count == 1'000'000);
  CHECK(column->layout.bytes == 8);
  CHECK(column->layout.stride == 8000);
  std::vector<int> places(1000);
  for (int i = 0; i < 1000; ++i) places[static_cast<std::size_t>(i)] = 3 * i;
  CHECK(indexed_block(kForm, 1000, 1, places.data(), of(MPI_INT))->layout.is_strided());
}

TEST_CASE("a signature tells the order of its types, and not how they were put together", "[ampi][datatypes]") {
  const int ones[] = {1, 1};
  const MPI_Aint places[] = {0, 8};
  const auto of_two = [&](MPI_Datatype a, MPI_Datatype b) { return structure(kForm, ones, places, {of(a), of(b)}); };
  const Signature forward = of_two(MPI_INT, MPI_DOUBLE)->signature;
  CHECK_FALSE(forward.matches(of_two(MPI_DOUBLE, MPI_INT)->signature));
  CHECK_FALSE(forward.matches(of_two(MPI_INT, MPI_INT)->signature));
  CHECK(forward.matches(of_two(MPI_INTEGER, MPI_DOUBLE_PRECISION)->signature));
  CHECK(
      forward.repeated(6).matches(contiguous(kForm, 2, contiguous(kForm, 3, of_two(MPI_INT, MPI_DOUBLE)))->signature));
  CHECK_FALSE(forward.repeated(6).matches(forward.repeated(5)));
  CHECK(forward.matches(contiguous(kForm, 12, of(MPI_BYTE))->signature));
}

TEST_CASE("wrong arguments give the error class of the standard", "[ampi][datatypes]") {
  const TypeDefinitionPtr& integer = of(MPI_INT);
  const int lengths[] = {1, -1};
  const int places[] = {0, 1};
  CHECK(fault_of([&] { contiguous(kForm, -1, integer); }) == MPI_ERR_COUNT);
  CHECK(fault_of([&] { vector(kForm, 1, -1, 1, integer); }) == MPI_ERR_COUNT);
  CHECK(fault_of([&] { indexed(kForm, 2, lengths, places, integer); }) == MPI_ERR_COUNT);
  CHECK(fault_of([&] { indexed(kForm, -2, lengths, places, integer); }) == MPI_ERR_COUNT);
  const int sizes[] = {4}, subsizes[] = {2}, starts[] = {3};
  CHECK(fault_of([&] { subarray(kForm, {1, sizes, subsizes, starts, MPI_ORDER_C}, integer); }) == MPI_ERR_ARG);
  CHECK(fault_of([&] { subarray(kForm, {1, sizes, subsizes, places, 99}, integer); }) == MPI_ERR_ARG);
  CHECK(fault_of([&] { subarray(kForm, {0, sizes, subsizes, places, MPI_ORDER_C}, integer); }) == MPI_ERR_ARG);
  const int block[] = {MPI_DISTRIBUTE_BLOCK}, one[] = {1}, two[] = {2};
  CHECK(fault_of([&] {
          distributed_array(kForm, {2, 0, 1, sizes, block, one, two, MPI_ORDER_C}, integer);
        }) == MPI_ERR_ARG);  // two blocks of one do not cover four
  CHECK(fault_of([&] {
          distributed_array(kForm, {2, 2, 1, sizes, block, two, two, MPI_ORDER_C}, integer);
        }) == MPI_ERR_RANK);
  CHECK(fault_of([&] { fortran_real(100, MPI_UNDEFINED); }) == MPI_ERR_ARG);
  CHECK(fault_of([&] { type_of_size(0, 4); }) == MPI_ERR_ARG);
}

TEST_CASE("a type of more bytes than can be counted is refused", "[ampi][datatypes]") {
  const auto large = CountForm::kLarge;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(fault_of([&] { contiguous(large, most / 2, of(MPI_INT)); }) == MPI_ERR_VALUE_TOO_LARGE);
  CHECK(fault_of([&] { vector(large, 2, 1, most / 2, of(MPI_INT)); }) == MPI_ERR_VALUE_TOO_LARGE);
  CHECK(fault_of([&] { hvector(large, 3, 1, most / 2, of(MPI_INT)); }) == MPI_ERR_VALUE_TOO_LARGE);
  CHECK(fault_of([&] { resized(large, of(MPI_INT), most, 1); }) == MPI_ERR_VALUE_TOO_LARGE);
}

TEST_CASE("types are found by what they can hold", "[ampi][datatypes]") {
  CHECK(fortran_real(6, MPI_UNDEFINED)->size() == 4);
  CHECK(fortran_real(7, MPI_UNDEFINED)->size() == 8);
  CHECK(fortran_real(MPI_UNDEFINED, 308)->size() == 16);
  CHECK(fortran_complex(15, 307)->size() == 16);
  CHECK(fortran_integer(9)->size() == 4);
  CHECK(fortran_integer(10)->size() == 8);
  CHECK(fortran_real(6, 30) == fortran_real(6, 30));
  CHECK(Datatype::of(fortran_real(6, 30)->handle()) == fortran_real(6, 30));
  CHECK(fortran_real(6, 30)->is_everybodys());
  CHECK(type_of_size(MPI_TYPECLASS_INTEGER, 2) == Datatype::of(MPI_INTEGER2));
  CHECK(type_of_size(MPI_TYPECLASS_REAL, 8) == Datatype::of(MPI_REAL8));
  CHECK(type_of_size(MPI_TYPECLASS_COMPLEX, 8) == Datatype::of(MPI_COMPLEX8));
  CHECK(type_of_size(MPI_TYPECLASS_REAL, 3) == nullptr);
  CHECK(pair_of(MPI_DOUBLE, MPI_INT) == Datatype::of(MPI_DOUBLE_INT));
  CHECK(pair_of(MPI_INT, MPI_DOUBLE) == nullptr);
}

}  // namespace kaon::ampi::testing
