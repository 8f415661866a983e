// SPDX-License-Identifier: Apache-2.0
// Accesses to windows.
#include <mpi.h>

#include <optional>

#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/host_copies.hpp"
#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/interface/operation_arguments.hpp"
#include "kaon/ampi_shim/interface/window_arguments.hpp"
#include "kaon/ampi_shim/windows/accesses.hpp"
#include "kaon/ampi_shim/windows/synchronization.hpp"

using namespace kaon::ampi;

namespace {

/// What the program says of the target's side.
struct TargetArguments {
  int rank;
  MPI_Aint displacement;
  MPI_Count count;
  MPI_Datatype type;
};

TargetPlace place_argument(const Window& window, const TargetArguments& target) {
  check_count(target.count);
  const Datatype& type = committed_type_argument(target.type);
  check_member(window, target.rank);
  return {target.rank, target.displacement, target.count, &type};
}

/// Data of the origin, in memory of the host.
class OriginData {
 public:
  OriginData(const Window& window, const void* buffer, MPI_Count count, MPI_Datatype type)
      : data_(outgoing(buffer, count, type)), copy_(window.rank(), buffer, count, *data_.type) {
    data_.data = copy_.data();
  }
  const Outgoing& data() const { return data_; }

 private:
  Outgoing data_;
  HostCopy copy_;
};

/// Runs an operation that gets something: `operate(result)`. What goes to a device comes to the host first, and is
/// there when this returns.
template <class Operate>
void with_result(Window& window, int target, const Incoming& result, Operate&& operate) {
  HostCopy copy(window.rank(), result.data, result.count, *result.type);
  operate(Incoming{copy.data(), result.count, result.type});
  if (copy.data() == result.data) return;
  flush(window, target);
  copy.copy_back();
}

/// One of the standard's, and MPI_NO_OP only where something is got.
const Operation& accumulate_operation(MPI_Op op, bool gets) {
  const Operation& operation = operation_argument(op);
  require(operation.is_predefined(), MPI_ERR_OP, "an operation of the program is not for windows");
  require(gets || op != MPI_NO_OP, MPI_ERR_OP, "MPI_NO_OP is for operations that get something");
  return operation;
}

/// An access: `body(window, request)` where there is a target. `handle` is nullptr in functions without a request.
template <class Body>
int access(const char* function, MPI_Win win, int target, MPI_Request* handle, bool has_request, Body&& body) {
  return window_call(function, win, [&](Window& window) {
    if (has_request) require_place(handle, "request");
    if (has_request && target != MPI_PROC_NULL) window.epochs.check_passive("an operation with a request");
    Request* made = nullptr;
    if (target == MPI_PROC_NULL)
      made = has_request ? new CompleteRequest(null_process_status()) : nullptr;
    else
      body(window, has_request ? &made : nullptr);
    if (has_request) give_request(*made, MPI_COMM_NULL, handle);
  });
}

struct OriginArguments {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype type;
};

int put_data(const char* function, const OriginArguments& origin, const TargetArguments& target, MPI_Win win,
             bool has_request = false, MPI_Request* request = nullptr) {
  return access(function, win, target.rank, request, has_request, [&](Window& window, RequestPlace made) {
    const OriginData copy(window, origin.buffer, origin.count, origin.type);
    put(window, copy.data(), place_argument(window, target), made);
  });
}

int get_data(const char* function, const OriginArguments& origin, const TargetArguments& target, MPI_Win win,
             bool has_request = false, MPI_Request* request = nullptr) {
  return access(function, win, target.rank, request, has_request, [&](Window& window, RequestPlace made) {
    const Incoming data = incoming(const_cast<void*>(origin.buffer), origin.count, origin.type);
    const TargetPlace place = place_argument(window, target);
    with_result(window, target.rank, data, [&](const Incoming& result) { get(window, result, place, made); });
  });
}

int accumulate_data(const char* function, const OriginArguments& origin, const TargetArguments& target, MPI_Op op,
                    MPI_Win win, bool has_request = false, MPI_Request* request = nullptr) {
  return access(function, win, target.rank, request, has_request, [&](Window& window, RequestPlace made) {
    const OriginData copy(window, origin.buffer, origin.count, origin.type);
    accumulate(window, copy.data(), place_argument(window, target), accumulate_operation(op, false), made);
  });
}

void fetch(Window& window, const OriginArguments& origin, const OriginArguments& result, const TargetArguments& target,
           MPI_Op op, RequestPlace made) {
  const Operation& operation = accumulate_operation(op, true);
  std::optional<OriginData> copy;
  if (op != MPI_NO_OP) copy.emplace(window, origin.buffer, origin.count, origin.type);
  const Outgoing data = copy ? copy->data() : Outgoing();
  const TargetPlace place = place_argument(window, target);
  with_result(window, target.rank, incoming(const_cast<void*>(result.buffer), result.count, result.type),
              [&](const Incoming& got) { get_accumulate(window, data, got, place, operation, made); });
}

int get_accumulate_data(const char* function, const OriginArguments& origin, const OriginArguments& result,
                        const TargetArguments& target, MPI_Op op, MPI_Win win, bool has_request = false,
                        MPI_Request* request = nullptr) {
  return access(function, win, target.rank, request, has_request,
                [&](Window& window, RequestPlace made) { fetch(window, origin, result, target, op, made); });
}

/// Types of elements that MPI_Compare_and_swap compares.
bool is_comparable(const Datatype& type) {
  if (!type.is_predefined() || type.definition().basic == nullptr) return false;
  switch (type.definition().basic->group) {
    case BasicGroup::kInteger:
    case BasicGroup::kFortranInteger:
    case BasicGroup::kLogical:
    case BasicGroup::kByte:
      return true;
    default:
      return false;
  }
}

}  // namespace

KAON_BOTH_WIDTHS(MPI_Put,
                 (const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win),
                 return put_data(function, {origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, win))
KAON_BOTH_WIDTHS(MPI_Rput,
                 (const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                  MPI_Request* request),
                 return put_data(function, {origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, win, true, request))
KAON_BOTH_WIDTHS(MPI_Get,
                 (void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win),
                 return get_data(function, {origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, win))
KAON_BOTH_WIDTHS(MPI_Rget,
                 (void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                  MPI_Request* request),
                 return get_data(function, {origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, win, true, request))
KAON_BOTH_WIDTHS(MPI_Accumulate,
                 (const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win),
                 return accumulate_data(function, {origin_addr, origin_count, origin_datatype},
                                        {target_rank, target_disp, target_count, target_datatype}, op, win))
KAON_BOTH_WIDTHS(MPI_Raccumulate,
                 (const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                  MPI_Request* request),
                 return accumulate_data(function, {origin_addr, origin_count, origin_datatype},
                                        {target_rank, target_disp, target_count, target_datatype}, op, win, true,
                                        request))
KAON_BOTH_WIDTHS(MPI_Get_accumulate,
                 (const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, void* result_addr,
                  Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                  Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win),
                 return get_accumulate_data(function, {origin_addr, origin_count, origin_datatype},
                                            {result_addr, result_count, result_datatype},
                                            {target_rank, target_disp, target_count, target_datatype}, op, win))
KAON_BOTH_WIDTHS(MPI_Rget_accumulate,
                 (const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, void* result_addr,
                  Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                  Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request* request),
                 return get_accumulate_data(function, {origin_addr, origin_count, origin_datatype},
                                            {result_addr, result_count, result_datatype},
                                            {target_rank, target_disp, target_count, target_datatype}, op, win, true,
                                            request))

int MPI_Fetch_and_op(const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
                     MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return access("MPI_Fetch_and_op", win, target_rank, nullptr, false, [&](Window& window, RequestPlace) {
    require(committed_type_argument(datatype).is_predefined(), MPI_ERR_TYPE, "the datatype is not predefined");
    fetch(window, {origin_addr, 1, datatype}, {result_addr, 1, datatype}, {target_rank, target_disp, 1, datatype}, op,
          nullptr);
  });
}

int MPI_Compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr, MPI_Datatype datatype,
                         int target_rank, MPI_Aint target_disp, MPI_Win win) {
  return access("MPI_Compare_and_swap", win, target_rank, nullptr, false, [&](Window& window, RequestPlace) {
    const TargetPlace place = place_argument(window, {target_rank, target_disp, 1, datatype});
    require(is_comparable(*place.type), MPI_ERR_TYPE, "the datatype is none of integers, logicals or bytes");
    const OriginData value(window, origin_addr, 1, datatype);
    const OriginData compared(window, compare_addr, 1, datatype);
    with_result(window, target_rank, incoming(result_addr, 1, datatype), [&](const Incoming& result) {
      compare_and_swap(window, value.data().data, compared.data().data, result.data, place);
    });
  });
}
