// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"
#include "kaon/ampi_shim/interface/host_copies.hpp"
#include "kaon/ampi_shim/interface/operation_arguments.hpp"

namespace kaon::ampi {

Operation& operation_argument(MPI_Op handle) {
  require(handle != MPI_OP_NULL, MPI_ERR_OP, "the operation is MPI_OP_NULL");
  Operation* operation = Operation::of(handle);
  require(operation != nullptr, MPI_ERR_OP, "the operation is not valid, or was freed");
  return *operation;
}

Operation& operation_argument(MPI_Op handle, const Datatype& type) {
  Operation& operation = operation_argument(handle);
  if (!operation.accepts(type)) [[unlikely]]
    throw_fault(MPI_ERR_OP, "{} is not defined for {}", name_of(operation),
                type.is_predefined() ? type.name() : "a derived datatype");
  return operation;
}

}  // namespace kaon::ampi

using namespace kaon::ampi;

namespace {

template <class Function>
int create(const char* name, Function* function, int commute, MPI_Op* op) {
  return mpi_call(name, [&] {
    require_place(function, "user_fn");
    require_place(op, "op");
    *op = Operation::make(function, commute != 0)->handle();
  });
}

int reduce_local(const char* name, const void* in, void* inout, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return mpi_call(name, [&] {
    require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
    const Datatype& type = committed_type_argument(datatype);
    const Operation& operation = operation_argument(op, type);
    if (count == 0) return;
    require(in != MPI_IN_PLACE && inout != MPI_IN_PLACE, MPI_ERR_BUFFER, "a buffer is MPI_IN_PLACE");
    require_memory(in, count, type);
    require_memory(inout, count, type);
    require(in != inout, MPI_ERR_BUFFER, "the two buffers are the same memory");
    Rank& rank = running_rank();
    const HostCopy left(rank, in, count, type);
    HostCopy right(rank, inout, count, type);
    operation.apply(left.data(), right.data(), count, type);
    right.copy_back();
  });
}

}  // namespace

extern "C" {

int MPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op) {
  return create("MPI_Op_create", user_fn, commute, op);
}

int MPI_Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op) {
  return create("MPI_Op_create_c", user_fn, commute, op);
}

int MPI_Op_free(MPI_Op* op) {
  return mpi_call("MPI_Op_free", [&] {
    require_place(op, "op");
    Operation& operation = operation_argument(*op);
    require(!operation.is_predefined(), MPI_ERR_OP, "a predefined operation cannot be freed");
    operation.free_handle();
    *op = MPI_OP_NULL;
  });
}

int MPI_Op_commutative(MPI_Op op, int* commute) {
  return mpi_call("MPI_Op_commutative", [&] {
    require_place(commute, "commute");
    *commute = operation_argument(op).is_commutative() ? 1 : 0;
  });
}

KAON_BOTH_WIDTHS(MPI_Reduce_local, (const void* inbuf, void* inoutbuf, Count count, MPI_Datatype datatype, MPI_Op op),
                 return reduce_local(function, inbuf, inoutbuf, count, datatype, op))

}  // extern "C"
