// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/operation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "kaon/ampi_shim/datatypes/handle_memory.hpp"
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"

namespace kaon::ampi {

namespace {

HandleMemory<Operation>& memory() {
  static auto* const memory = new HandleMemory<Operation>;  // handles may be asked of until the process has ended
  return *memory;
}

constexpr std::uintptr_t kNumbersEnd = 0x1000;  // lower handles are no addresses

struct NamedOperation {
  MPI_Op handle;
  const char* name;
};

const auto& named_operations() {
  static const std::array<NamedOperation, 14> operations{{{MPI_SUM, "MPI_SUM"},
                                                          {MPI_MIN, "MPI_MIN"},
                                                          {MPI_MAX, "MPI_MAX"},
                                                          {MPI_PROD, "MPI_PROD"},
                                                          {MPI_BAND, "MPI_BAND"},
                                                          {MPI_BOR, "MPI_BOR"},
                                                          {MPI_BXOR, "MPI_BXOR"},
                                                          {MPI_LAND, "MPI_LAND"},
                                                          {MPI_LOR, "MPI_LOR"},
                                                          {MPI_LXOR, "MPI_LXOR"},
                                                          {MPI_MINLOC, "MPI_MINLOC"},
                                                          {MPI_MAXLOC, "MPI_MAXLOC"},
                                                          {MPI_REPLACE, "MPI_REPLACE"},
                                                          {MPI_NO_OP, "MPI_NO_OP"}}};
  return operations;
}

}  // namespace

/// Makes the objects of predefined operations, which never end. MPI_REPLACE and MPI_NO_OP do not commute.
struct PredefinedOperations {
  static constexpr std::uintptr_t kBegin = 0x20;
  static constexpr std::size_t kCount = 0x20;
  using Table = std::array<Operation*, kCount>;

  static Table make_all() {
    Table table{};
    for (const NamedOperation& each : named_operations())
      table[reinterpret_cast<std::uintptr_t>(each.handle) - kBegin] =
          new Operation(each.handle, nullptr, nullptr, each.handle != MPI_REPLACE && each.handle != MPI_NO_OP);
    return table;
  }

  static Operation* find(std::uintptr_t number) {
    static const Table table = make_all();
    return number - kBegin < kCount ? table[number - kBegin] : nullptr;
  }
};

Operation* Operation::make(MPI_User_function* function, bool is_commutative) {
  return new (memory().allocate()) Operation(MPI_OP_NULL, function, nullptr, is_commutative);
}

Operation* Operation::make(MPI_User_function_c* function, bool is_commutative) {
  return new (memory().allocate()) Operation(MPI_OP_NULL, nullptr, function, is_commutative);
}

Operation* Operation::of(MPI_Op handle) noexcept {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number < kNumbersEnd) return PredefinedOperations::find(number);
  return alive_at<Operation>(handle);
}

MPI_Op Operation::handle() const { return is_predefined() ? predefined_ : reinterpret_cast<MPI_Op>(handle_word()); }

ReductionKernel* Operation::kernel(const Datatype& type) const {
  const TypeDefinition& definition = type.definition();
  if (definition.pair != nullptr) return pair_kernel(predefined_, *definition.pair);
  return definition.basic != nullptr ? basic_kernel(predefined_, *definition.basic) : nullptr;
}

void Operation::apply(const void* in, void* inout, std::int64_t count, const Datatype& type) const {
  if (is_predefined())
    kernel(type)(in, inout, count);
  else
    call(in, inout, count, type);
}

// A function that takes an int is called for as many elements as that can count at a time.
void Operation::call(const void* in, void* inout, std::int64_t count, const Datatype& type) const {
  const Datatype::Lent lent(type);
  MPI_Datatype handle = type.handle();
  auto* from = const_cast<char*>(static_cast<const char*>(in));  // MPI_User_function does not promise to only read it
  auto* into = static_cast<char*>(inout);
  if (large_function_ != nullptr) {
    MPI_Count length = count;
    return large_function_(from, into, &length, &handle);
  }
  while (count > 0) {
    int length = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
    const std::int64_t bytes = length * type.extent();
    count -= length;
    function_(from, into, &length, &handle);
    from += bytes;
    into += bytes;
  }
}

void Operation::release() const noexcept {
  // acq_rel: whoever ends the object has seen all that others did with it before they let it go
  if (is_predefined() || references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  this->~Operation();
  memory().release(const_cast<Operation*>(this));
}

void Operation::free_handle() noexcept {
  mark_freed();
  release();
}

std::string_view name_of(const Operation& operation) {
  for (const NamedOperation& each : named_operations())
    if (each.handle == operation.handle()) return each.name;
  return "an operation of the program";
}

}  // namespace kaon::ampi
