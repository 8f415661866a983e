// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/datatypes/type_model.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>

namespace kaon::ampi::testing {

namespace {

struct Basic {
  int size, alignment, kind;
};

// What the models are made of, in plain words of C.
const std::map<MPI_Datatype, Basic>& basics() {
  static const std::map<MPI_Datatype, Basic> all{
      {MPI_CHAR, {1, 1, 1}},
      {MPI_BYTE, {1, 1, 2}},
      {MPI_SHORT, {sizeof(short), alignof(short), 3}},
      {MPI_INT, {sizeof(int), alignof(int), 4}},
      {MPI_FLOAT, {sizeof(float), alignof(float), 5}},
      {MPI_LONG, {sizeof(long), alignof(long), 6}},
      {MPI_DOUBLE, {sizeof(double), alignof(double), 7}},
      {MPI_LONG_DOUBLE, {sizeof(long double), alignof(long double), 8}},
      {MPI_C_DOUBLE_COMPLEX, {2 * sizeof(double), alignof(double), 9}},
  };
  return all;
}

using Indices = std::vector<std::int64_t>;

/// Calls `visit(indices, place)` for each element of an array, the first in memory first.
template <class Visit>
void each_element(int dimensions, const int* sizes, int order, Visit visit) {
  const auto count = static_cast<std::size_t>(dimensions);
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < count; ++i) elements *= sizes[i];
  for (std::int64_t place = 0; place < elements; ++place) {
    Indices indices(count);
    std::int64_t rest = place;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = order == MPI_ORDER_FORTRAN ? k : count - 1 - k;
      indices[i] = rest % sizes[i];
      rest /= sizes[i];
    }
    visit(indices, place);
  }
}

std::int64_t all_of(int dimensions, const int* sizes) {
  std::int64_t elements = 1;
  for (int i = 0; i < dimensions; ++i) elements *= sizes[i];
  return elements;
}

bool has(const ModelOfDistribution& array, std::size_t i, std::int64_t index, std::int64_t coordinate) {
  if (array.distributions[i] == MPI_DISTRIBUTE_NONE) return true;
  std::int64_t block = array.arguments[i];
  if (block == MPI_DISTRIBUTE_DFLT_DARG)
    block = array.distributions[i] == MPI_DISTRIBUTE_CYCLIC
                ? 1
                : (array.sizes[i] + array.processes[i] - 1) / array.processes[i];
  return index / block % array.processes[i] == coordinate;
}

}  // namespace

int size_of_basic(MPI_Datatype basic) { return basics().at(basic).size; }

std::int64_t TypeModel::size() const {
  std::int64_t bytes = 0;
  for (const Entry& entry : entries_) bytes += size_of_basic(entry.type);
  return bytes;
}

std::int64_t TypeModel::true_lower() const {
  std::int64_t lower = entries_.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
  for (const Entry& entry : entries_) lower = std::min(lower, entry.displacement);
  return lower;
}

std::int64_t TypeModel::true_extent() const {
  std::int64_t upper = entries_.empty() ? 0 : std::numeric_limits<std::int64_t>::min();
  for (const Entry& entry : entries_) upper = std::max(upper, entry.displacement + size_of_basic(entry.type));
  return upper - true_lower();
}

std::int64_t TypeModel::lower() const { return set_lower_ ? *set_lower_ : true_lower(); }

std::int64_t TypeModel::extent() const {
  if (set_upper_) return *set_upper_ - lower();
  std::int64_t alignment = 1;
  for (const Entry& entry : entries_) alignment = std::max<std::int64_t>(alignment, basics().at(entry.type).alignment);
  std::int64_t extent = true_extent();
  while (extent % alignment != 0) ++extent;
  return extent;
}

bool TypeModel::overlaps(std::int64_t count) const {
  std::set<std::int64_t> bytes;
  for (std::int64_t i = 0; i < count; ++i)
    for (const Entry& entry : entries_)
      for (int b = 0; b < size_of_basic(entry.type); ++b)
        if (!bytes.insert(i * extent() + entry.displacement + b).second) return true;
  return false;
}

void TypeModel::add(const TypeModel& other, std::int64_t displacement, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = displacement + i * other.extent();
    for (const Entry& entry : other.entries_) entries_.push_back({entry.type, entry.displacement + at});
    if (!other.set_lower_) continue;
    set_lower_ = std::min(*other.set_lower_ + at, set_lower_.value_or(std::numeric_limits<std::int64_t>::max()));
    set_upper_ = std::max(*other.set_upper_ + at, set_upper_.value_or(std::numeric_limits<std::int64_t>::min()));
  }
}

TypeModel TypeModel::resized(std::int64_t lower, std::int64_t extent) const {
  TypeModel result = *this;
  result.set_lower_ = lower;
  result.set_upper_ = lower + extent;
  return result;
}

std::vector<std::byte> TypeModel::packed(const std::byte* buffer, std::int64_t count) const {
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < count; ++i)
    for (const Entry& entry : entries_)
      for (int b = 0; b < size_of_basic(entry.type); ++b)
        bytes.push_back(buffer[i * extent() + entry.displacement + b]);
  return bytes;
}

void TypeModel::unpack(std::byte* buffer, const std::byte* packed, std::int64_t count, std::int64_t bytes) const {
  for (std::int64_t i = 0; i < count; ++i)
    for (const Entry& entry : entries_)
      for (int b = 0; b < size_of_basic(entry.type) && bytes > 0; ++b, --bytes)
        buffer[i * extent() + entry.displacement + b] = *packed++;
}

std::optional<std::int64_t> TypeModel::elements_in(std::int64_t bytes) const {
  std::int64_t elements = 0;
  for (std::size_t i = 0; bytes > 0 && !entries_.empty(); i = (i + 1) % entries_.size()) {
    bytes -= size_of_basic(entries_[i].type);
    if (bytes < 0) return std::nullopt;
    ++elements;
  }
  return elements;
}

std::vector<int> TypeModel::signature() const {
  std::vector<int> kinds;
  for (const Entry& entry : entries_) kinds.push_back(basics().at(entry.type).kind);
  return kinds;
}

TypeModel model_of_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts, int order,
                            const TypeModel& type) {
  TypeModel result;
  each_element(dimensions, sizes, order, [&](const Indices& indices, std::int64_t place) {
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i] < starts[i] || indices[i] >= starts[i] + subsizes[i]) return;
    result.add(type, place * type.extent());
  });
  return result.resized(0, all_of(dimensions, sizes) * type.extent());
}

TypeModel model_of_darray(const ModelOfDistribution& array, const TypeModel& type) {
  Indices coordinates(static_cast<std::size_t>(array.dimensions));
  int rest = array.rank;
  for (std::size_t i = coordinates.size(); i-- > 0; rest /= array.processes[i])
    coordinates[i] = rest % array.processes[i];
  TypeModel result;
  each_element(array.dimensions, array.sizes, array.order, [&](const Indices& indices, std::int64_t place) {
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (!has(array, i, indices[i], coordinates[i])) return;
    result.add(type, place * type.extent());
  });
  return result.resized(0, all_of(array.dimensions, array.sizes) * type.extent());
}

}  // namespace kaon::ampi::testing
