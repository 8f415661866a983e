// SPDX-License-Identifier: Apache-2.0
// Sessions, and the process sets that each of them knows: all ranks, and the calling one.
#include <mpi.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "kaon/ampi_shim/communicators/group_object.hpp"
#include "kaon/ampi_shim/interface/buffered_sends.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/device_allocation.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"

using namespace kaon::ampi;

namespace {

struct ProcessSet {
  const char* name;
  kaon::ampi::Group (*group)(const Rank& rank);
};

constexpr std::array kProcessSets{
    ProcessSet{"mpi://WORLD", [](const Rank& rank) { return kaon::ampi::Group(0, rank.world().ranks()); }},
    ProcessSet{"mpi://SELF", [](const Rank& rank) { return kaon::ampi::Group(rank.number(), 1); }},
};

/// By its name, a URI, in which case does not matter.
const ProcessSet& process_set(const char* name) {
  require_place(name, "the name of the process set");
  const auto found = std::find_if(kProcessSets.begin(), kProcessSets.end(),
                                  [name](const ProcessSet& set) { return strcasecmp(set.name, name) == 0; });
  require(found != kProcessSets.end(), MPI_ERR_ARG, "there is no process set {}: mpi://WORLD and mpi://SELF are", name);
  return *found;
}

/// Whatever a program wants, it is given what there is: a hint, but one of the names that the standard has.
void check_thread_level(const Info& hints) {
  constexpr std::array<std::string_view, 4> kLevels{"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                                    "MPI_THREAD_MULTIPLE"};
  const std::string* const level = hints.find("thread_level");
  if (level == nullptr) return;
  require(std::find(kLevels.begin(), kLevels.end(), *level) != kLevels.end(), MPI_ERR_INFO_VALUE,
          "thread_level is {}, which is no level of thread support", *level);
}

}  // namespace

int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  return making_call("MPI_Session_init", errhandler, MPI_SESSION_NULL, [&] {
    require_place(session, "session");
    const Info* const wanted = info_or_null(info);
    auto made = std::make_shared<Session>();
    made->errors = error_handler_of<MPI_Session>(errhandler);
    if (wanted != nullptr) check_thread_level(*wanted);
    made->info.set("thread_level", "MPI_THREAD_FUNNELED");
    *session = program_objects().sessions.give(std::move(made));
  });
}

int MPI_Session_finalize(MPI_Session* session) {
  return mpi_call("MPI_Session_finalize", session != nullptr ? *session : MPI_SESSION_NULL, [&] {
    require_place(session, "session");
    session_of(*session);
    forget_buffer(*session);
    program_objects().sessions.free(*session);
    *session = MPI_SESSION_NULL;
  });
}

int MPI_Session_get_info(MPI_Session session, MPI_Info* info_used) {
  return mpi_call("MPI_Session_get_info", session, [&] {
    require_place(info_used, "info_used");
    Info info = session_of(session).info;
    info.set("mpi_memory_alloc_kinds", memory_kinds(current_rank()));
    *info_used = give_info(info);
  });
}

int MPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int* npset_names) {
  return mpi_call("MPI_Session_get_num_psets", session, [&] {
    require_place(npset_names, "npset_names");
    session_of(session);
    info_or_null(info);
    *npset_names = static_cast<int>(kProcessSets.size());
  });
}

int MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int* pset_len, char* pset_name) {
  return mpi_call("MPI_Session_get_nth_pset", session, [&] {
    require_place(pset_len, "pset_len");
    session_of(session);
    info_or_null(info);
    require(n >= 0 && static_cast<std::size_t>(n) < kProcessSets.size(), MPI_ERR_ARG,
            "there is no process set number {} of {}", n, kProcessSets.size());
    require(*pset_len >= 0, MPI_ERR_ARG, "pset_len is {}", *pset_len);
    const std::string_view name = kProcessSets[static_cast<std::size_t>(n)].name;
    if (*pset_len > 0) {
      require_place(pset_name, "pset_name");
      const std::size_t length = std::min(name.size(), static_cast<std::size_t>(*pset_len) - 1);
      std::memcpy(pset_name, name.data(), length);
      pset_name[length] = '\0';
    }
    *pset_len = static_cast<int>(name.size()) + 1;
  });
}

int MPI_Session_get_pset_info(MPI_Session session, const char* pset_name, MPI_Info* info) {
  return mpi_call("MPI_Session_get_pset_info", session, [&] {
    require_place(info, "info");
    session_of(session);
    Info size;
    size.set("mpi_size", std::to_string(process_set(pset_name).group(calling_rank()).size()));
    *info = give_info(std::move(size));
  });
}

int MPI_Group_from_session_pset(MPI_Session session, const char* pset_name, MPI_Group* newgroup) {
  return mpi_call("MPI_Group_from_session_pset", session, [&] {
    require_place(newgroup, "newgroup");
    session_of(session);
    *newgroup = give(process_set(pset_name).group(calling_rank()));
  });
}
