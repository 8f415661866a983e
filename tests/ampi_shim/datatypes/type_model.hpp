// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kaon::ampi::testing {

/// A datatype as the standard defines it: a list of basic types and displacements, and where bounds were set. Slow and
/// plain, to compare with.
class TypeModel {
 public:
  struct Entry {
    MPI_Datatype type;
    std::int64_t displacement;
  };

  TypeModel() = default;
  explicit TypeModel(MPI_Datatype basic) : entries_{{basic, 0}} {}

  const std::vector<Entry>& entries() const { return entries_; }
  std::int64_t size() const;
  std::int64_t lower() const;
  std::int64_t extent() const;
  std::int64_t true_lower() const;
  std::int64_t true_extent() const;
  /// True if bytes of `count` elements overlap in memory.
  bool overlaps(std::int64_t count) const;

  /// Puts `count` elements of the other one, each its extent behind the one before, at this displacement.
  void add(const TypeModel& other, std::int64_t displacement, std::int64_t count = 1);
  TypeModel resized(std::int64_t lower, std::int64_t extent) const;

  std::vector<std::byte> packed(const std::byte* buffer, std::int64_t count) const;
  /// The first `bytes` of them.
  void unpack(std::byte* buffer, const std::byte* packed, std::int64_t count, std::int64_t bytes) const;
  /// The basic elements that so many bytes hold; none: the last is cut.
  std::optional<std::int64_t> elements_in(std::int64_t bytes) const;
  /// For each entry its kind and size as one number.
  std::vector<int> signature() const;

 private:
  std::vector<Entry> entries_;
  std::optional<std::int64_t> set_lower_, set_upper_;
};

TypeModel model_of_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts, int order,
                            const TypeModel& type);

struct ModelOfDistribution {
  int rank, dimensions;
  const int *sizes, *distributions, *arguments, *processes;
  int order;
};
/// Asks for each element of the whole array whether the rank has it.
TypeModel model_of_darray(const ModelOfDistribution& array, const TypeModel& type);

int size_of_basic(MPI_Datatype basic);

}  // namespace kaon::ampi::testing
