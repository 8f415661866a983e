// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/datatypes/random_type.hpp"

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"

namespace kaon::ampi::testing {

namespace {

constexpr std::int64_t kMostEntries = 1500;  // of a model

bool is_small(const TypeModel& model) { return static_cast<std::int64_t>(model.entries().size()) <= kMostEntries; }

}  // namespace

std::vector<int> RandomTypes::numbers(std::size_t count, int from, int to) {
  std::vector<int> result(count);
  for (int& each : result) each = static_cast<int>(number(from, to));
  return result;
}

ModelledType RandomTypes::basic() {
  const std::vector<MPI_Datatype> basics{MPI_CHAR,   MPI_SHORT,       MPI_INT,  MPI_FLOAT,           MPI_LONG,
                                         MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_BYTE, MPI_C_DOUBLE_COMPLEX};
  const MPI_Datatype handle = basics[static_cast<std::size_t>(number(0, 8))];
  return {Datatype::of(handle)->shared_definition(), TypeModel(handle)};
}

ModelledType RandomTypes::make(int depth) {
  if (depth == 0 || number(0, 9) == 0) return basic();
  if (number(0, 3) == 0) {
    ModelledType made = structure(depth);
    return is_small(made.model) ? made : basic();
  }
  const ModelledType inside = make(depth - 1);
  ModelledType made;
  switch (number(0, 6)) {
    case 0:
      made = list(inside);
      break;
    case 1:
      made = list_of_one_length(inside);
      break;
    case 2:
      made = bounds(inside);
      break;
    case 3:
      made = subarray(inside);
      break;
    case 4:
      made = darray(inside);
      break;
    default:
      made = loop(inside);
  }
  return is_small(made.model) ? made : inside;
}

// contiguous, vector and hvector
ModelledType RandomTypes::loop(const ModelledType& inside) {
  const std::int64_t extent = inside.model.extent();
  const auto count = number(0, 5);
  const auto length = number(0, 4);
  const auto stride = number(-3, 7);
  ModelledType made;
  switch (number(0, 2)) {
    case 0:
      made.model.add(inside.model, 0, count);
      made.type = contiguous(CountForm::kInt, count, inside.type);
      return made;
    case 1:
      for (std::int64_t i = 0; i < count; ++i) made.model.add(inside.model, i * stride * extent, length);
      made.type = vector(CountForm::kInt, count, length, stride, inside.type);
      return made;
    default:
      const std::int64_t bytes = stride * extent + number(-2, 9);
      for (std::int64_t i = 0; i < count; ++i) made.model.add(inside.model, i * bytes, length);
      made.type = hvector(CountForm::kInt, count, length, bytes, inside.type);
      return made;
  }
}

// indexed and hindexed
ModelledType RandomTypes::list(const ModelledType& inside) {
  const auto count = static_cast<std::size_t>(number(0, 6));
  const std::vector<int> lengths = numbers(count, 0, 3);
  const std::vector<int> places = numbers(count, -4, 20);
  const bool in_elements = number(0, 1) == 0;
  ModelledType made;
  std::vector<MPI_Aint> bytes(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = in_elements ? places[i] * inside.model.extent() : 5 * places[i];
    made.model.add(inside.model, bytes[i], lengths[i]);
  }
  const auto n = static_cast<std::int64_t>(count);
  made.type = in_elements ? indexed(CountForm::kInt, n, lengths.data(), places.data(), inside.type)
                          : hindexed(CountForm::kInt, n, lengths.data(), bytes.data(), inside.type);
  return made;
}

// indexed_block and hindexed_block
ModelledType RandomTypes::list_of_one_length(const ModelledType& inside) {
  const auto count = static_cast<std::size_t>(number(0, 6));
  const auto length = number(0, 3);
  const std::vector<int> places = numbers(count, -4, 20);
  const bool in_elements = number(0, 1) == 0;
  ModelledType made;
  std::vector<MPI_Aint> bytes(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = in_elements ? places[i] * inside.model.extent() : 7 * places[i];
    made.model.add(inside.model, bytes[i], length);
  }
  const auto n = static_cast<std::int64_t>(count);
  made.type = in_elements ? indexed_block(CountForm::kInt, n, length, places.data(), inside.type)
                          : hindexed_block(CountForm::kInt, n, length, bytes.data(), inside.type);
  return made;
}

ModelledType RandomTypes::structure(int depth) {
  const auto count = static_cast<std::size_t>(number(0, 4));
  const std::vector<int> lengths = numbers(count, 0, 3);
  ModelledType made;
  std::vector<MPI_Aint> displacements(count + 1);
  std::vector<TypeDefinitionPtr> types;
  for (std::size_t i = 0; i < count; ++i) {
    const ModelledType part = make(depth - 1);
    displacements[i] = number(-40, 400);
    made.model.add(part.model, displacements[i], lengths[i]);
    types.push_back(part.type);
  }
  made.type = ampi::structure(CountForm::kInt, lengths.data(), displacements.data(), types);
  return made;
}

ModelledType RandomTypes::bounds(const ModelledType& inside) {
  if (number(0, 2) == 0) return {duplicate(inside.type), inside.model};
  const auto lower = number(-10, 10);
  const auto extent = number(0, 60);
  return {resized(CountForm::kInt, inside.type, lower, extent), inside.model.resized(lower, extent)};
}

ModelledType RandomTypes::subarray(const ModelledType& inside) {
  const auto dimensions = static_cast<std::size_t>(number(1, 3));
  const std::vector<int> sizes = numbers(dimensions, 1, 5);
  std::vector<int> subsizes, starts;
  for (const int size : sizes) {
    subsizes.push_back(static_cast<int>(number(1, size)));
    starts.push_back(static_cast<int>(number(0, size - subsizes.back())));
  }
  const int order = number(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  const int n = static_cast<int>(dimensions);
  return {ampi::subarray(CountForm::kInt, {n, sizes.data(), subsizes.data(), starts.data(), order}, inside.type),
          model_of_subarray(n, sizes.data(), subsizes.data(), starts.data(), order, inside.model)};
}

ModelledType RandomTypes::darray(const ModelledType& inside) {
  const auto dimensions = static_cast<std::size_t>(number(1, 3));
  const std::vector<int> sizes = numbers(dimensions, 1, 6);
  std::vector<int> distributions, arguments, processes;
  int all = 1;
  for (const int size : sizes) {
    distributions.push_back(static_cast<int>(number(MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC)));
    processes.push_back(distributions.back() == MPI_DISTRIBUTE_NONE ? 1 : static_cast<int>(number(1, 3)));
    const int least =
        distributions.back() == MPI_DISTRIBUTE_BLOCK ? (size + processes.back() - 1) / processes.back() : 1;
    arguments.push_back(number(0, 1) == 0 ? MPI_DISTRIBUTE_DFLT_DARG : static_cast<int>(number(least, least + 2)));
    all *= processes.back();
  }
  const int rank = static_cast<int>(number(0, all - 1));
  const int order = number(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  const int n = static_cast<int>(dimensions);
  return {
      distributed_array(CountForm::kInt,
                        {all, rank, n, sizes.data(), distributions.data(), arguments.data(), processes.data(), order},
                        inside.type),
      model_of_darray({rank, n, sizes.data(), distributions.data(), arguments.data(), processes.data(), order},
                      inside.model)};
}

}  // namespace kaon::ampi::testing
