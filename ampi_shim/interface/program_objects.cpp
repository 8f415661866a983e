// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/program_objects.hpp"

#include <sys/utsname.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"

namespace kaon::ampi {

namespace {

/// What is known of how the program was started, by the keys that the standard has for it.
Info environment_of(const Rank& rank) {
  Info info;
  utsname machine;
  if (uname(&machine) == 0) {
    info.set("host", machine.nodename);
    info.set("arch", machine.machine);
  }
  info.set("maxprocs", std::to_string(rank.world().ranks()));
  std::error_code none;
  info.set("wdir", std::filesystem::current_path(none).string());
  info.set("thread_level", "MPI_THREAD_FUNNELED");
  return info;
}

bool is_predefined(MPI_Errhandler handle) {
  return handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_ABORT || handle == MPI_ERRORS_RETURN;
}

}  // namespace

ProgramObjects::ProgramObjects(Rank& rank) : environment(environment_of(rank)) {}

Rank& calling_rank() {
  Rank* const rank = current_rank_or_null();
  require(rank != nullptr, MPI_ERR_OTHER, "only the thread that MPI_Init ran on may call MPI");
  return *rank;
}

Rank& rank_of_any_thread() {
  if (current_rank_or_null() != nullptr) return running_rank();
  Rank* const rank = rank_of_thread();
  require(rank != nullptr && rank->stage() == Rank::Stage::running, MPI_ERR_OTHER,
          "MPI is not initialized, or finalized");
  return *rank;
}

ProgramObjects& program_objects() { return calling_rank().part<ProgramObjects>(); }

Rank& rank_of_session() {
  Rank& rank = calling_rank();
  if (!rank.part<ProgramObjects>().sessions.empty()) return rank;
  require(rank.stage() != Rank::Stage::before_init, MPI_ERR_OTHER, "MPI_Init has not been called");
  throw MpiFault(MPI_ERR_OTHER, "MPI_Finalize has been called");
}

Info& info_of(MPI_Info handle) {
  require(handle != MPI_INFO_NULL, MPI_ERR_INFO, "the info object is MPI_INFO_NULL");
  if (handle == MPI_INFO_ENV) return program_objects().environment;
  const std::shared_ptr<Info> info = program_objects().infos.find(handle);
  require(info != nullptr, MPI_ERR_INFO, "the info object is none, or freed");
  return *info;
}

const Info* info_or_null(MPI_Info handle) { return handle == MPI_INFO_NULL ? nullptr : &info_of(handle); }

MPI_Info give_info(Info info) { return program_objects().infos.give(std::make_shared<Info>(std::move(info))); }

Session& session_of(MPI_Session handle) {
  require(handle != MPI_SESSION_NULL, MPI_ERR_SESSION, "the session is MPI_SESSION_NULL");
  const std::shared_ptr<Session> session = program_objects().sessions.find(handle);
  require(session != nullptr, MPI_ERR_SESSION, "the session is none, or finalized");
  return *session;
}

ErrorHandlerSlot error_handler_of_any(MPI_Errhandler handle) {
  if (is_predefined(handle)) return {handle, nullptr};
  require(handle != MPI_ERRHANDLER_NULL, MPI_ERR_ERRHANDLER, "the error handler is MPI_ERRHANDLER_NULL");
  std::shared_ptr<ErrorHandler> made = program_objects().error_handlers.find(handle);
  require(made != nullptr, MPI_ERR_ERRHANDLER, "the error handler is none, or freed");
  return {handle, std::move(made)};
}

MPI_Errhandler give_error_handler(const ErrorHandlerSlot& slot) {
  if (slot.made != nullptr) return program_objects().error_handlers.give_again(slot.made, slot.handle);
  return slot.handle == MPI_ERRHANDLER_NULL ? MPI_ERRORS_ARE_FATAL : slot.handle;
}

}  // namespace kaon::ampi
