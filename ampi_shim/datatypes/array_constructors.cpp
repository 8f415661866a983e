// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

namespace {

void check(bool is_right, int error_class, const char* text) {
  if (!is_right) throw MpiFault(error_class, text);
}

void check_order(int order) {
  check(order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN, MPI_ERR_ARG,
        "the order of an array must be MPI_ORDER_C or MPI_ORDER_FORTRAN");
}

TypeDefinitionPtr kept(TypeDefinition type) { return std::make_shared<const TypeDefinition>(std::move(type)); }

/// An array that is put together from its fastest dimension to its slowest: of each, some of the indices are taken.
class ArrayInside {
 public:
  explicit ArrayInside(TypeDefinitionPtr type) : inside_(std::move(type)), unit_(inside_->bounds.extent()) {}

  /// `count` groups of `length` indices from `start` on, `stride` apart, and `last` more indices in one group after
  /// them, of a dimension of `size`.
  void add_dimension(std::int64_t size, std::int64_t start, std::int64_t count, std::int64_t length,
                     std::int64_t stride, std::int64_t last) {
    std::int64_t bytes = 0;
    check(!__builtin_mul_overflow(unit_, size, &bytes), MPI_ERR_VALUE_TOO_LARGE,
          "the bytes of an array cannot be counted in 64 bits");
    TypeElements groups{count, stride * unit_, {{0, length}}, {inside_}};
    TypeElements both;
    both.blocks = {{start * unit_, 1}, {(start + count * stride) * unit_, last}};
    both.types = {kept(define(std::move(groups))), inside_};
    unit_ = bytes;
    inside_ = spanning_all(define(std::move(both)));
  }

  TypeDefinitionPtr finish(TypeRecipe recipe) {
    TypeDefinition result = define({1, 0, {{0, 1}}, {inside_}});
    result.recipe = std::move(recipe);
    return kept(std::move(result));
  }

 private:
  /// From the array's first element on, whichever are taken.
  TypeDefinitionPtr spanning_all(TypeDefinition type) const {
    return resized(CountForm::kLarge, kept(std::move(type)), 0, unit_);
  }

  TypeDefinitionPtr inside_;
  std::int64_t unit_;  // bytes between neighbours of the next dimension
};

/// The dimensions from the fastest to the slowest.
int dimension_at(int place, int dimensions, int order) {
  return order == MPI_ORDER_FORTRAN ? place : dimensions - 1 - place;
}

void check_subarray(const Subarray& array) {
  check(array.dimensions > 0, MPI_ERR_ARG, "a subarray must have at least one dimension");
  check_order(array.order);
  for (int i = 0; i < array.dimensions; ++i) {
    check(array.sizes[i] > 0, MPI_ERR_ARG, "an array's sizes must be positive");
    check(array.subsizes[i] > 0 && array.subsizes[i] <= array.sizes[i], MPI_ERR_ARG,
          "a subarray's sizes must be positive, and at most those of the array");
    check(array.starts[i] >= 0 && array.starts[i] <= array.sizes[i] - array.subsizes[i], MPI_ERR_ARG,
          "a subarray must lie within the array: its start is wrong");
  }
}

void check_distributed_array(const DistributedArray& array) {
  check(array.dimensions > 0, MPI_ERR_ARG, "a distributed array must have at least one dimension");
  check(array.size > 0, MPI_ERR_ARG, "the processes of a distributed array must be at least one");
  check(array.rank >= 0 && array.rank < array.size, MPI_ERR_RANK,
        "the rank in a distributed array must be below its count of processes");
  check_order(array.order);
  std::int64_t processes = 1;
  for (int i = 0; i < array.dimensions; ++i) {
    check(array.global_sizes[i] > 0, MPI_ERR_ARG, "an array's sizes must be positive");
    check(array.process_sizes[i] > 0, MPI_ERR_ARG, "the sizes of the grid of processes must be positive");
    processes *= array.process_sizes[i];
    check(processes <= array.size, MPI_ERR_ARG, "the grid of processes is larger than the count of processes");
  }
  check(processes == array.size, MPI_ERR_ARG, "the grid of processes is smaller than the count of processes");
}

/// The indices that each process takes at a time.
std::int64_t block_of(const DistributedArray& array, int dimension) {
  const std::int64_t size = array.global_sizes[dimension];
  const std::int64_t processes = array.process_sizes[dimension];
  const int argument = array.distribution_arguments[dimension];
  const bool is_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
  check(is_default || array.distributions[dimension] == MPI_DISTRIBUTE_NONE || argument > 0, MPI_ERR_ARG,
        "the argument of a distribution must be positive, or MPI_DISTRIBUTE_DFLT_DARG");
  switch (array.distributions[dimension]) {
    case MPI_DISTRIBUTE_NONE:
      check(processes == 1, MPI_ERR_ARG, "a dimension that is not distributed needs a grid of one process along it");
      return size;
    case MPI_DISTRIBUTE_BLOCK:
      check(is_default || argument >= (size + processes - 1) / processes, MPI_ERR_ARG,
            "blocks times processes must cover the array");
      return is_default ? (size + processes - 1) / processes : argument;
    case MPI_DISTRIBUTE_CYCLIC:
      return is_default ? 1 : argument;
    default:
      throw MpiFault(MPI_ERR_ARG, "a distribution must be MPI_DISTRIBUTE_BLOCK, _CYCLIC or _NONE");
  }
}

void add_dimension(ArrayInside& inside, const DistributedArray& array, int dimension, std::int64_t coordinate) {
  const std::int64_t size = array.global_sizes[dimension];
  const std::int64_t block = block_of(array, dimension);
  const std::int64_t round = block * array.process_sizes[dimension];
  const std::int64_t start = coordinate * block;
  // Whole rounds give a whole block each; what is left of the array is the last round.
  const std::int64_t rounds = size / round;
  const std::int64_t rest = std::clamp<std::int64_t>(size - rounds * round - start, 0, block);
  if (rounds == 0 && rest == 0)
    inside.add_dimension(size, 0, 0, 0, 0, 0);  // this process has nothing; its start may lie anywhere behind the array
  else
    inside.add_dimension(size, start, rounds, block, rounds > 0 ? round : 0, rest);
}

}  // namespace

TypeDefinitionPtr subarray(CountForm form, const Subarray& array, TypeDefinitionPtr type) {
  check_subarray(array);
  TypeRecipe recipe(MPI_COMBINER_SUBARRAY, form);
  recipe.integer(array.dimensions).counts(array.sizes, array.dimensions).counts(array.subsizes, array.dimensions);
  recipe.counts(array.starts, array.dimensions).integer(array.order).type(type);
  ArrayInside inside(std::move(type));
  for (int place = 0; place < array.dimensions; ++place) {
    const int i = dimension_at(place, array.dimensions, array.order);
    inside.add_dimension(array.sizes[i], array.starts[i], 1, array.subsizes[i], 0, 0);
  }
  return inside.finish(std::move(recipe));
}

TypeDefinitionPtr distributed_array(CountForm form, const DistributedArray& array, TypeDefinitionPtr type) {
  check_distributed_array(array);
  TypeRecipe recipe(MPI_COMBINER_DARRAY, form);
  recipe.integer(array.size).integer(array.rank).integer(array.dimensions).counts(array.global_sizes, array.dimensions);
  recipe.integers_of(array.distributions, array.dimensions);
  recipe.integers_of(array.distribution_arguments, array.dimensions);
  recipe.integers_of(array.process_sizes, array.dimensions).integer(array.order).type(type);
  // The grid of processes counts its last dimension fastest, whatever the order of the array.
  std::vector<std::int64_t> coordinates(static_cast<std::size_t>(array.dimensions));
  int rest = array.rank;
  for (int i = array.dimensions - 1; i >= 0; --i) {
    coordinates[static_cast<std::size_t>(i)] = rest % array.process_sizes[i];
    rest /= array.process_sizes[i];
  }
  ArrayInside inside(std::move(type));
  for (int place = 0; place < array.dimensions; ++place) {
    const int i = dimension_at(place, array.dimensions, array.order);
    add_dimension(inside, array, i, coordinates[static_cast<std::size_t>(i)]);
  }
  return inside.finish(std::move(recipe));
}

}  // namespace kaon::ampi
