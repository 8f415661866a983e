// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/recipe.hpp"

#include <utility>

namespace kaon::ampi {

TypeRecipe& TypeRecipe::integer(int value) {
  integers.push_back(value);
  return *this;
}

TypeRecipe& TypeRecipe::integers_of(const int* values, int count) {
  integers.insert(integers.end(), values, values + count);
  return *this;
}

TypeRecipe& TypeRecipe::count(std::int64_t value) {
  if (form == CountForm::kLarge)
    large_counts.push_back(value);
  else
    integers.push_back(static_cast<int>(value));  // it came as one
  return *this;
}

TypeRecipe& TypeRecipe::counts(CountArray values, std::int64_t count_of_values) {
  for (std::int64_t i = 0; i < count_of_values; ++i) count(values[i]);
  return *this;
}

TypeRecipe& TypeRecipe::address(std::int64_t value) {
  if (form == CountForm::kLarge)
    large_counts.push_back(value);
  else
    addresses.push_back(value);
  return *this;
}

TypeRecipe& TypeRecipe::addresses_of(CountArray values, std::int64_t count_of_values) {
  for (std::int64_t i = 0; i < count_of_values; ++i) address(values[i]);
  return *this;
}

TypeRecipe& TypeRecipe::type(TypeDefinitionPtr type) {
  types.push_back(std::move(type));
  return *this;
}

}  // namespace kaon::ampi
