// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/datatypes/basic_type.hpp"

namespace kaon::ampi {

/// The basic types of some data in their order, as far as a number can tell: what is sent and what is received match
/// when theirs are equal. Types of the same kind and size are one, so that MPI_INT matches MPI_INT32_T and MPI_INTEGER.
/// Signatures are put together like the data: that of a million elements takes twenty steps.
class Signature {
 public:
  Signature() = default;
  explicit Signature(const BasicType& type);

  std::int64_t elements() const { return elements_; }
  /// MPI_BYTE or MPI_PACKED alone, which match everything.
  bool is_bytes() const { return is_bytes_; }
  std::uint64_t hash() const { return hash_; }

  Signature followed_by(const Signature& other) const;
  Signature repeated(std::int64_t times) const;

  bool matches(const Signature& other) const {
    return is_bytes_ || other.is_bytes_ || (hash_ == other.hash_ && elements_ == other.elements_);
  }

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t power_ = 1;  // of the base, as often as there are elements
  std::int64_t elements_ = 0;
  bool is_bytes_ = true;
};

}  // namespace kaon::ampi
