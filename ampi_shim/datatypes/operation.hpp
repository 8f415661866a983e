// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string_view>

#include "kaon/ampi_shim/datatypes/counted_ref.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/handled.hpp"

namespace kaon::ampi {

/// inout[i] = in[i] operation inout[i], for `count` elements one after the other.
using ReductionKernel = void(const void* in, void* inout, std::int64_t count);

/// The object behind a handle of type MPI_Op: one of the standard's operations, or a function of the program. Ranks
/// other than the one that made it may use it as long as they hold an OperationRef.
class Operation : public Handled<0x6b616f6e4f504552> {
 public:
  static Operation* make(MPI_User_function* function, bool is_commutative);
  static Operation* make(MPI_User_function_c* function, bool is_commutative);
  /// Null: no operation, or one that was freed.
  static Operation* of(MPI_Op handle) noexcept;

  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  MPI_Op handle() const;
  bool is_predefined() const { return predefined_ != MPI_OP_NULL; }
  bool is_commutative() const { return is_commutative_; }

  /// MPI_REPLACE and MPI_NO_OP, which are for accumulating in windows alone.
  bool is_for_windows() const { return predefined_ == MPI_REPLACE || predefined_ == MPI_NO_OP; }
  /// True if it may reduce elements of this type; a program's function takes all types.
  bool accepts(const Datatype& type) const {
    return !is_predefined() || (!is_for_windows() && kernel(type) != nullptr);
  }
  /// The loop of a predefined operation over this type; null: it is not allowed there.
  ReductionKernel* kernel(const Datatype& type) const;
  /// inout[i] = in[i] operation inout[i]. There must be a kernel for the type. A program's function runs in it.
  void apply(const void* in, void* inout, std::int64_t count, const Datatype& type) const;

  /// The program's handle is no longer valid. The object stays for those who hold an OperationRef.
  void free_handle() noexcept;

 private:
  friend class CountedRef<Operation>;
  friend struct PredefinedOperations;

  Operation(MPI_Op predefined, MPI_User_function* function, MPI_User_function_c* large_function, bool is_commutative)
      : is_commutative_(is_commutative),
        predefined_(predefined),
        function_(function),
        large_function_(large_function) {}
  ~Operation() = default;
  void call(const void* in, void* inout, std::int64_t count, const Datatype& type) const;
  void retain() const noexcept {
    if (!is_predefined()) references_.fetch_add(1, std::memory_order_relaxed);
  }
  void release() const noexcept;

  bool is_commutative_;
  mutable std::atomic<int> references_{1};  // the program's handle and each OperationRef
  MPI_Op predefined_;                       // its handle; MPI_OP_NULL: a function of the program
  MPI_User_function* function_;
  MPI_User_function_c* large_function_;  // one of the two is null
};

using OperationRef = CountedRef<Operation>;

/// "MPI_SUM"; of a program's function "an operation of the program".
std::string_view name_of(const Operation& operation);

}  // namespace kaon::ampi
