// SPDX-License-Identifier: Apache-2.0
// MPI_T_: the tool information interface. There are no variables, categories, events or sources yet, which a tool
// learns by their counts; what needs one of them gives the error of an index or a handle that does not exist. These
// functions return errors and call no handler.
#include <mpi.h>

#include <memory>

#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

using namespace kaon::ampi;

namespace {

/// How often the calling rank has initialized the interface and not finalized it; nullptr: no rank calls.
int* uses() {
  Rank* const rank = current_rank_or_null();
  return rank != nullptr ? &rank->part<ProgramObjects>().tool_uses : nullptr;
}

bool is_initialized() {
  const int* const count = uses();
  return count != nullptr && *count > 0;
}

/// For functions that would look something up.
int nothing(int error) { return is_initialized() ? error : MPI_T_ERR_NOT_INITIALIZED; }

int none(int* count) {
  if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
  if (count == nullptr) return MPI_T_ERR_INVALID;
  *count = 0;
  return MPI_SUCCESS;
}

}  // namespace

int MPI_T_init_thread(int, int* provided) {
  int* const count = uses();
  if (count == nullptr) return MPI_T_ERR_CANNOT_INIT;
  if (provided == nullptr) return MPI_T_ERR_INVALID;
  ++*count;
  *provided = MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}

int MPI_T_finalize() {
  if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
  --*uses();
  return MPI_SUCCESS;
}

int MPI_T_cvar_get_num(int* num_cvar) { return none(num_cvar); }
int MPI_T_pvar_get_num(int* num_pvar) { return none(num_pvar); }
int MPI_T_category_get_num(int* num_cat) { return none(num_cat); }
int MPI_T_event_get_num(int* num_events) { return none(num_events); }
int MPI_T_source_get_num(int* num_sources) { return none(num_sources); }
int MPI_T_category_changed(int* update_number) { return none(update_number); }

int MPI_T_cvar_get_index(const char*, int*) { return nothing(MPI_T_ERR_INVALID_NAME); }
int MPI_T_pvar_get_index(const char*, int, int*) { return nothing(MPI_T_ERR_INVALID_NAME); }
int MPI_T_category_get_index(const char*, int*) { return nothing(MPI_T_ERR_INVALID_NAME); }
int MPI_T_event_get_index(const char*, int*) { return nothing(MPI_T_ERR_INVALID_NAME); }

int MPI_T_category_get_categories(int, int, int*) { return nothing(MPI_T_ERR_INVALID_INDEX); }
int MPI_T_category_get_cvars(int, int, int*) { return nothing(MPI_T_ERR_INVALID_INDEX); }
int MPI_T_category_get_events(int, int, int*) { return nothing(MPI_T_ERR_INVALID_INDEX); }
int MPI_T_category_get_info(int, char*, int*, char*, int*, int*, int*, int*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_category_get_num_events(int, int*) { return nothing(MPI_T_ERR_INVALID_INDEX); }
int MPI_T_category_get_pvars(int, int, int*) { return nothing(MPI_T_ERR_INVALID_INDEX); }
int MPI_T_cvar_get_info(int, char*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_cvar_handle_alloc(int, void*, MPI_T_cvar_handle*, int*) { return nothing(MPI_T_ERR_INVALID_INDEX); }
int MPI_T_cvar_handle_free(MPI_T_cvar_handle*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_cvar_read(MPI_T_cvar_handle, void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_cvar_write(MPI_T_cvar_handle, const void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_enum_get_info(MPI_T_enum, int*, char*, int*) { return nothing(MPI_T_ERR_INVALID); }
int MPI_T_enum_get_item(MPI_T_enum, int, int*, char*, int*) { return nothing(MPI_T_ERR_INVALID); }
int MPI_T_event_callback_get_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info*) {
  return nothing(MPI_T_ERR_INVALID_HANDLE);
}
int MPI_T_event_callback_set_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info) {
  return nothing(MPI_T_ERR_INVALID_HANDLE);
}
int MPI_T_event_copy(MPI_T_event_instance, void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_event_get_info(int, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*, MPI_Info*, char*, int*,
                         int*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_event_get_source(MPI_T_event_instance, int*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_event_get_timestamp(MPI_T_event_instance, MPI_Count*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_event_handle_alloc(int, void*, MPI_Info, MPI_T_event_registration*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_event_handle_free(MPI_T_event_registration, void*, MPI_T_event_free_cb_function) {
  return nothing(MPI_T_ERR_INVALID_HANDLE);
}
int MPI_T_event_handle_get_info(MPI_T_event_registration, MPI_Info*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_event_handle_set_info(MPI_T_event_registration, MPI_Info) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_event_read(MPI_T_event_instance, int, void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_event_register_callback(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*, MPI_T_event_cb_function) {
  return nothing(MPI_T_ERR_INVALID_HANDLE);
}
int MPI_T_event_set_dropped_handler(MPI_T_event_registration, MPI_T_event_dropped_cb_function) {
  return nothing(MPI_T_ERR_INVALID_HANDLE);
}
int MPI_T_pvar_get_info(int, char*, int*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*, int*, int*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session, int, void*, MPI_T_pvar_handle*, int*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_pvar_handle_free(MPI_T_pvar_session, MPI_T_pvar_handle*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_pvar_read(MPI_T_pvar_session, MPI_T_pvar_handle, void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_pvar_readreset(MPI_T_pvar_session, MPI_T_pvar_handle, void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_pvar_reset(MPI_T_pvar_session, MPI_T_pvar_handle) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_pvar_start(MPI_T_pvar_session, MPI_T_pvar_handle) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_pvar_stop(MPI_T_pvar_session, MPI_T_pvar_handle) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_pvar_write(MPI_T_pvar_session, MPI_T_pvar_handle, const void*) { return nothing(MPI_T_ERR_INVALID_HANDLE); }
int MPI_T_source_get_info(int, char*, int*, char*, int*, MPI_T_source_order*, MPI_Count*, MPI_Count*, MPI_Info*) {
  return nothing(MPI_T_ERR_INVALID_INDEX);
}
int MPI_T_source_get_timestamp(int, MPI_Count*) { return nothing(MPI_T_ERR_INVALID_INDEX); }

int MPI_T_pvar_session_create(MPI_T_pvar_session* pe_session) {
  if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
  if (pe_session == nullptr) return MPI_T_ERR_INVALID;
  *pe_session = program_objects().tool_sessions.give(std::make_shared<ToolSession>());
  return MPI_SUCCESS;
}

int MPI_T_pvar_session_free(MPI_T_pvar_session* pe_session) {
  if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
  if (pe_session == nullptr) return MPI_T_ERR_INVALID;
  if (!program_objects().tool_sessions.free(*pe_session)) return MPI_T_ERR_INVALID_SESSION;
  *pe_session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}
