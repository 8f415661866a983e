// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kaon/ampi_shim/communicators/error_codes.hpp"
#include "kaon/ampi_shim/communicators/error_handler.hpp"
#include "kaon/ampi_shim/communicators/info.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/handle_table.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

class DevicePartitions;
class ProgramStream;

/// A session: a right to use MPI, and its error handler.
struct Session {
  ErrorHandlerSlot errors;
  Info info;
};

/// The two values of a LOGICAL of one size, as bindings of Fortran have set them.
struct FortranBooleans {
  static constexpr std::size_t kMostBytes = 16;
  bool are_set = false;
  std::array<std::byte, kMostBytes> true_bytes{};
  std::array<std::byte, kMostBytes> false_bytes{};
};

/// A session of MPI_T: there are no performance variables yet that it could hold.
struct ToolSession {};

/// The objects that the functions of this folder keep for each rank: those of the program that exist before MPI_Init
/// and after MPI_Finalize.
class ProgramObjects final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::interface;
  explicit ProgramObjects(Rank& rank);

  ErrorCodes error_codes;
  HandleTable<MPI_Errhandler, ErrorHandler> error_handlers;
  HandleTable<MPI_Info, Info> infos;
  HandleTable<MPI_Session, Session> sessions;
  HandleTable<MPIX_Stream, ProgramStream> streams;
  std::unordered_map<const void*, std::shared_ptr<DevicePartitions>> device_partitions;  // by their words
  Info environment;                                                                      // MPI_INFO_ENV
  std::unordered_map<std::uintptr_t, int> handle_numbers;                                // see handle_number
  std::vector<std::uintptr_t> numbered;
  std::optional<Info> fortran_info;
  std::unordered_map<int, FortranBooleans> fortran_booleans;  // by size in bytes
  int tool_uses = 0;                                          // of MPI_T
  HandleTable<MPI_T_pvar_session, ToolSession> tool_sessions;
  ErrorHandlerSlot file_errors{MPI_ERRORS_RETURN, nullptr};  // of MPI_FILE_NULL: files that are opened get it
};

/// The rank that calls, whether it has called MPI_Init or not. Throws MpiFault on a thread that is no rank's.
Rank& calling_rank();
/// Same as running_rank(), also on threads of the program: for state that stays as MPI_Init has made it.
Rank& rank_of_any_thread();
/// The objects of the calling rank.
ProgramObjects& program_objects();

/// The info object of a handle, which must not be MPI_INFO_NULL. Throws MpiFault.
Info& info_of(MPI_Info handle);
/// nullptr for MPI_INFO_NULL. Throws MpiFault for a handle that is none.
const Info* info_or_null(MPI_Info handle);
/// A new info object for the program.
MPI_Info give_info(Info info);

Session& session_of(MPI_Session handle);

/// An error handler, predefined or made, for objects of any kind. Throws MpiFault.
ErrorHandlerSlot error_handler_of_any(MPI_Errhandler handle);
/// The error handler that a program sets for an object. Throws MpiFault unless it is for those with such handles.
template <class Handle>
ErrorHandlerSlot error_handler_of(MPI_Errhandler handle) {
  ErrorHandlerSlot slot = error_handler_of_any(handle);
  require(slot.made == nullptr || slot.made->is_for<Handle>(), MPI_ERR_ERRHANDLER,
          "the error handler is for objects of another kind");
  return slot;
}
/// The handle of an object's error handler, to be freed by the program.
MPI_Errhandler give_error_handler(const ErrorHandlerSlot& slot);

}  // namespace kaon::ampi
