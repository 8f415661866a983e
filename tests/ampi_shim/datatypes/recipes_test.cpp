// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/predefined_datatypes.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi::testing {

namespace {

using Ints = std::vector<int>;
using Aints = std::vector<MPI_Aint>;
using Counts = std::vector<MPI_Count>;

const TypeDefinitionPtr& integer() { return Datatype::of(MPI_INT)->shared_definition(); }

void check(const TypeDefinitionPtr& type, int combiner, const Ints& integers, const Aints& addresses = {},
           const Counts& large_counts = {}) {
  CHECK(type->recipe.combiner == combiner);
  CHECK(type->recipe.integers == integers);
  CHECK(type->recipe.addresses == addresses);
  CHECK(type->recipe.large_counts == large_counts);
  for (const TypeDefinitionPtr& part : type->recipe.types) CHECK(part == integer());
}

const int kLengths[] = {2, 1, 3};
const int kPlaces[] = {0, 4, -7};
const MPI_Aint kBytes[] = {0, 40, -28};
const MPI_Count kLargeLengths[] = {2, 1, 3};

}  // namespace

TEST_CASE("a type gives back what its constructor was given", "[ampi][datatypes]") {
  const auto form = CountForm::kInt;
  check(contiguous(form, 5, integer()), MPI_COMBINER_CONTIGUOUS, {5});
  check(vector(form, 5, 2, -3, integer()), MPI_COMBINER_VECTOR, {5, 2, -3});
  check(hvector(form, 5, 2, -3, integer()), MPI_COMBINER_HVECTOR, {5, 2}, {-3});
  check(indexed(form, 3, kLengths, kPlaces, integer()), MPI_COMBINER_INDEXED, {3, 2, 1, 3, 0, 4, -7});
  check(hindexed(form, 3, kLengths, kBytes, integer()), MPI_COMBINER_HINDEXED, {3, 2, 1, 3}, {0, 40, -28});
  check(indexed_block(form, 3, 2, kPlaces, integer()), MPI_COMBINER_INDEXED_BLOCK, {3, 2, 0, 4, -7});
  check(hindexed_block(form, 3, 2, kBytes, integer()), MPI_COMBINER_HINDEXED_BLOCK, {3, 2}, {0, 40, -28});
  check(structure(form, kLengths, kBytes, {integer(), integer(), integer()}), MPI_COMBINER_STRUCT, {3, 2, 1, 3},
        {0, 40, -28});
  check(resized(form, integer(), -8, 32), MPI_COMBINER_RESIZED, {}, {-8, 32});
  check(duplicate(integer()), MPI_COMBINER_DUP, {});
}

TEST_CASE("a type made with large counts gives them back as such", "[ampi][datatypes]") {
  const auto form = CountForm::kLarge;
  check(contiguous(form, 5'000'000'000, integer()), MPI_COMBINER_CONTIGUOUS, {}, {}, {5'000'000'000});
  check(vector(form, 5, 2, -3, integer()), MPI_COMBINER_VECTOR, {}, {}, {5, 2, -3});
  check(hvector(form, 5, 2, -3, integer()), MPI_COMBINER_HVECTOR, {}, {}, {5, 2, -3});
  check(indexed(form, 3, kLargeLengths, kBytes, integer()), MPI_COMBINER_INDEXED, {}, {}, {3, 2, 1, 3, 0, 40, -28});
  check(hindexed(form, 3, kLargeLengths, kBytes, integer()), MPI_COMBINER_HINDEXED, {}, {}, {3, 2, 1, 3, 0, 40, -28});
  check(hindexed_block(form, 3, 2, kBytes, integer()), MPI_COMBINER_HINDEXED_BLOCK, {}, {}, {3, 2, 0, 40, -28});
  check(structure(form, kLargeLengths, kBytes, {integer(), integer(), integer()}), MPI_COMBINER_STRUCT, {}, {},
        {3, 2, 1, 3, 0, 40, -28});
  check(resized(form, integer(), -8, 32), MPI_COMBINER_RESIZED, {}, {}, {-8, 32});
  CHECK(contiguous(form, 5'000'000'000, integer())->size == 20'000'000'000);
}

TEST_CASE("arrays give back their dimensions", "[ampi][datatypes]") {
  const int sizes[] = {4, 6}, subsizes[] = {2, 3}, starts[] = {1, 2};
  const MPI_Count large_sizes[] = {4, 6}, large_subsizes[] = {2, 3}, large_starts[] = {1, 2};
  check(subarray(CountForm::kInt, {2, sizes, subsizes, starts, MPI_ORDER_C}, integer()), MPI_COMBINER_SUBARRAY,
        {2, 4, 6, 2, 3, 1, 2, MPI_ORDER_C});
  check(subarray(CountForm::kLarge, {2, large_sizes, large_subsizes, large_starts, MPI_ORDER_FORTRAN}, integer()),
        MPI_COMBINER_SUBARRAY, {2, MPI_ORDER_FORTRAN}, {}, {4, 6, 2, 3, 1, 2});
  const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  const int processes[] = {2, 3};
  const Ints rest{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2, 3, MPI_ORDER_C};
  Ints all{6, 5, 2, 4, 6};
  all.insert(all.end(), rest.begin(), rest.end());
  check(
      distributed_array(CountForm::kInt, {6, 5, 2, sizes, distributions, arguments, processes, MPI_ORDER_C}, integer()),
      MPI_COMBINER_DARRAY, all);
  all.erase(all.begin() + 3, all.begin() + 5);
  check(distributed_array(CountForm::kLarge, {6, 5, 2, large_sizes, distributions, arguments, processes, MPI_ORDER_C},
                          integer()),
        MPI_COMBINER_DARRAY, all, {}, {4, 6});
}

TEST_CASE("predefined types have no recipe, those of Fortran's kinds their question", "[ampi][datatypes]") {
  check(integer(), MPI_COMBINER_NAMED, {});
  check(fortran_real(6, 30)->shared_definition(), MPI_COMBINER_F90_REAL, {6, 30});
  check(fortran_complex(MPI_UNDEFINED, 300)->shared_definition(), MPI_COMBINER_F90_COMPLEX, {MPI_UNDEFINED, 300});
  check(fortran_integer(9)->shared_definition(), MPI_COMBINER_F90_INTEGER, {9});
}

}  // namespace kaon::ampi::testing
