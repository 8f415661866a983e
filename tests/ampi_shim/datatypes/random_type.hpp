// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <random>
#include <vector>

#include "kaon/ampi_shim/datatypes/type_definition.hpp"
#include "tests/ampi_shim/datatypes/type_model.hpp"

namespace kaon::ampi::testing {

/// A datatype and its model, made by the same steps.
struct ModelledType {
  TypeDefinitionPtr type;
  TypeModel model;
};

/// Makes datatypes of datatypes by chance. The same seed makes the same.
class RandomTypes {
 public:
  explicit RandomTypes(unsigned seed) : random_(seed) {}

  ModelledType make(int depth);
  std::int64_t number(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random_);
  }
  std::vector<int> numbers(std::size_t count, int from, int to);
  std::byte byte() { return static_cast<std::byte>(number(0, 255)); }

 private:
  ModelledType basic();
  ModelledType loop(const ModelledType& inside);
  ModelledType list(const ModelledType& inside);
  ModelledType list_of_one_length(const ModelledType& inside);
  ModelledType structure(int depth);
  ModelledType bounds(const ModelledType& inside);
  ModelledType subarray(const ModelledType& inside);
  ModelledType darray(const ModelledType& inside);

  std::mt19937 random_;
};

}  // namespace kaon::ampi::testing
