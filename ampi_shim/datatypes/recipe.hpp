// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kaon::ampi {

struct TypeDefinition;
using TypeDefinitionPtr = std::shared_ptr<const TypeDefinition>;  // shared by handles and by types made of it

/// Which of its two functions made a datatype: one that takes counts as int, or one that takes MPI_Count (`_c`).
enum class CountForm : std::uint8_t { kInt, kLarge };

/// Counts that a caller gave as an array of either width.
class CountArray {
 public:
  CountArray(const int* counts) : ints_(counts) {}          // NOLINT: an argument as the caller has it
  CountArray(const MPI_Count* counts) : counts_(counts) {}  // NOLINT

  std::int64_t operator[](std::int64_t i) const { return ints_ != nullptr ? ints_[i] : counts_[i]; }

 private:
  const int* ints_ = nullptr;
  const MPI_Count* counts_ = nullptr;
};

/// The arguments of a constructor, in the order in which MPI_Type_get_contents returns them. The int form has counts
/// among the integers, the other form among the large counts; addresses are large counts there too.
struct TypeRecipe {
  TypeRecipe() = default;
  explicit TypeRecipe(int combiner, CountForm form = CountForm::kInt) : combiner(combiner), form(form) {}

  int combiner = MPI_COMBINER_NAMED;
  CountForm form = CountForm::kInt;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> large_counts;
  std::vector<TypeDefinitionPtr> types;

  TypeRecipe& integer(int value);
  TypeRecipe& integers_of(const int* values, int count);
  TypeRecipe& count(std::int64_t value);
  TypeRecipe& counts(CountArray values, std::int64_t count);
  TypeRecipe& address(std::int64_t value);
  TypeRecipe& addresses_of(CountArray values, std::int64_t count);
  TypeRecipe& type(TypeDefinitionPtr type);
};

}  // namespace kaon::ampi
