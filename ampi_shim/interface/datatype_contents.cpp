// SPDX-License-Identifier: Apache-2.0
// What a datatype was made of.
#include <algorithm>

#include "kaon/ampi_shim/datatypes/predefined_datatypes.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

namespace {

/// Predefined types have one handle; of others the program gets a new type, which it has to free.
MPI_Datatype handle_of(const TypeDefinitionPtr& definition) {
  const TypeRecipe& recipe = definition->recipe;
  switch (recipe.combiner) {
    case MPI_COMBINER_NAMED:
      return definition->predefined;
    case MPI_COMBINER_F90_REAL:
      return fortran_real(recipe.integers[0], recipe.integers[1])->handle();
    case MPI_COMBINER_F90_COMPLEX:
      return fortran_complex(recipe.integers[0], recipe.integers[1])->handle();
    case MPI_COMBINER_F90_INTEGER:
      return fortran_integer(recipe.integers[0])->handle();
    default:
      return new_handle(definition);
  }
}

template <class T>
void give(const std::vector<T>& values, std::int64_t room, T* array, const char* name) {
  const auto count = static_cast<std::int64_t>(values.size());
  require(room >= count, MPI_ERR_ARG, "{} has room for {} of the {} that there are", name, room, count);
  array_argument(array, count, name);
  std::copy(values.begin(), values.end(), array);
}

void give_types(const TypeRecipe& recipe, std::int64_t room, MPI_Datatype* array) {
  const auto count = static_cast<std::int64_t>(recipe.types.size());
  require(room >= count, MPI_ERR_ARG, "array_of_datatypes has room for {} of the {} that there are", room, count);
  array_argument(array, count, "array_of_datatypes");
  std::transform(recipe.types.begin(), recipe.types.end(), array, handle_of);
}

const TypeRecipe& recipe_argument(MPI_Datatype datatype) { return type_argument(datatype).definition().recipe; }

/// Functions without large counts cannot tell them.
const TypeRecipe& small_recipe_argument(MPI_Datatype datatype) {
  const TypeRecipe& recipe = recipe_argument(datatype);
  require(recipe.large_counts.empty(), MPI_ERR_TYPE,
          "the datatype was made with large counts: use the function that ends in _c");
  return recipe;
}

void require_made(const TypeRecipe& recipe) {
  require(recipe.combiner != MPI_COMBINER_NAMED, MPI_ERR_TYPE, "a predefined datatype has no contents");
}

template <class T, class Count>
void give_size(const std::vector<T>& values, Count* size, const char* name) {
  require_place(size, name);
  *size = static_cast<Count>(values.size());
}

}  // namespace

extern "C" {

int MPI_Type_get_envelope(MPI_Datatype datatype, int* num_integers, int* num_addresses, int* num_datatypes,
                          int* combiner) {
  return mpi_call("MPI_Type_get_envelope", [&] {
    const TypeRecipe& recipe = small_recipe_argument(datatype);
    require_place(combiner, "combiner");
    give_size(recipe.integers, num_integers, "num_integers");
    give_size(recipe.addresses, num_addresses, "num_addresses");
    give_size(recipe.types, num_datatypes, "num_datatypes");
    *combiner = recipe.combiner;
  });
}

int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                            MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  return mpi_call("MPI_Type_get_envelope_c", [&] {
    const TypeRecipe& recipe = recipe_argument(datatype);
    require_place(combiner, "combiner");
    give_size(recipe.integers, num_integers, "num_integers");
    give_size(recipe.addresses, num_addresses, "num_addresses");
    give_size(recipe.large_counts, num_large_counts, "num_large_counts");
    give_size(recipe.types, num_datatypes, "num_datatypes");
    *combiner = recipe.combiner;
  });
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                          int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]) {
  return mpi_call("MPI_Type_get_contents", [&] {
    const TypeRecipe& recipe = small_recipe_argument(datatype);
    require_made(recipe);
    give(recipe.integers, max_integers, array_of_integers, "array_of_integers");
    give(recipe.addresses, max_addresses, array_of_addresses, "array_of_addresses");
    give_types(recipe, max_datatypes, array_of_datatypes);
  });
}

int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                            MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                            MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                            MPI_Datatype array_of_datatypes[]) {
  return mpi_call("MPI_Type_get_contents_c", [&] {
    const TypeRecipe& recipe = recipe_argument(datatype);
    require_made(recipe);
    give(recipe.integers, max_integers, array_of_integers, "array_of_integers");
    give(recipe.addresses, max_addresses, array_of_addresses, "array_of_addresses");
    give(recipe.large_counts, max_large_counts, array_of_large_counts, "array_of_large_counts");
    give_types(recipe, max_datatypes, array_of_datatypes);
  });
}

}  // extern "C"
