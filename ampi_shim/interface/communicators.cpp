// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "kaon/ampi_shim/communicators/group_object.hpp"
#include "kaon/ampi_shim/interface/buffered_sends.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/device_allocation.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

namespace kaon::ampi {

namespace {

int compare(const Communicator& one, const Communicator& other) {
  if (&one == &other) return MPI_IDENT;
  if (one.is_inter() != other.is_inter()) return MPI_UNEQUAL;
  int result = one.group().compare(other.group());
  if (one.is_inter()) {
    const int remote = one.peers().compare(other.peers());
    if (result == MPI_IDENT || remote == MPI_UNEQUAL) result = remote;
  }
  return result == MPI_IDENT ? MPI_CONGRUENT : result;
}

/// What the standard has programs assert of their communicators.
constexpr std::array<std::string_view, 5> kHints{"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                                 "mpi_assert_exact_length", "mpi_assert_allow_overtaking",
                                                 "mpi_assert_strict_persistent_collective_ordering"};

int free_handle(const char* function, MPI_Comm* comm) {
  return mpi_call(function, comm != nullptr ? *comm : MPI_COMM_NULL, [&] {
    require_place(comm, "comm");
    Communicator& communicator = communicator_of(running_rank(), *comm);
    require(!communicator.is_predefined(), MPI_ERR_COMM, "{} cannot be freed", communicator.name);
    const int code = free_communicator(communicator);
    require(code == MPI_SUCCESS, code, "the delete function of an attribute has failed");
    forget_buffer(*comm);
    *comm = MPI_COMM_NULL;
  });
}

}  // namespace

void set_hints(Communicator& communicator, const Info& hints) {
  communicator.info.set_all(
      hints, [](std::string_view key) { return std::find(kHints.begin(), kHints.end(), key) != kHints.end(); });
}

}  // namespace kaon::ampi

using namespace kaon::ampi;

extern "C" {

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  return mpi_call("MPI_Comm_rank", comm, [&] {
    require_place(rank, "rank");
    *rank = communicator_of(rank_of_any_thread(), comm).rank();
  });
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  return mpi_call("MPI_Comm_size", comm, [&] {
    require_place(size, "size");
    *size = communicator_of(rank_of_any_thread(), comm).size();
  });
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  return communicator_call("MPI_Comm_group", comm, [&](Rank&, const Communicator& communicator) {
    require_place(group, "group");
    *group = give(communicator.group());
  });
}

int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  return communicator_call("MPI_Comm_compare", comm1, [&](Rank& rank, const Communicator& communicator) {
    require_place(result, "result");
    *result = compare(communicator, communicator_of(rank, comm2));
  });
}

int MPI_Comm_free(MPI_Comm* comm) { return free_handle("MPI_Comm_free", comm); }

// What is under way on it keeps it alive, and ends by itself.
int MPI_Comm_disconnect(MPI_Comm* comm) { return free_handle("MPI_Comm_disconnect", comm); }

int MPI_Comm_set_name(MPI_Comm comm, const char* comm_name) {
  return communicator_call("MPI_Comm_set_name", comm, [&](Rank&, Communicator& communicator) {
    require_place(comm_name, "comm_name");
    communicator.name = std::string_view(comm_name).substr(0, MPI_MAX_OBJECT_NAME - 1);
  });
}

int MPI_Comm_get_name(MPI_Comm comm, char* comm_name, int* resultlen) {
  return mpi_call("MPI_Comm_get_name", comm, [&] {
    require_place(comm_name, "comm_name");
    require_place(resultlen, "resultlen");
    // The standard gives this one a name too.
    const std::string name = comm == MPI_COMM_NULL ? "MPI_COMM_NULL" : communicator_of(running_rank(), comm).name;
    std::memcpy(comm_name, name.c_str(), name.size() + 1);
    *resultlen = static_cast<int>(name.size());
  });
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  return communicator_call("MPI_Comm_set_info", comm,
                           [&](Rank&, Communicator& communicator) { set_hints(communicator, info_of(info)); });
}

int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* info_used) {
  return communicator_call("MPI_Comm_get_info", comm, [&](Rank& rank, const Communicator& communicator) {
    require_place(info_used, "info_used");
    Info info = communicator.info;
    info.set("mpi_memory_alloc_kinds", memory_kinds(rank));
    *info_used = give_info(info);
  });
}

int MPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  return communicator_call("MPI_Comm_test_inter", comm, [&](Rank&, const Communicator& communicator) {
    require_place(flag, "flag");
    *flag = communicator.is_inter() ? 1 : 0;
  });
}

int MPI_Comm_remote_size(MPI_Comm comm, int* size) {
  return communicator_call("MPI_Comm_remote_size", comm, [&](Rank&, const Communicator& communicator) {
    require_place(size, "size");
    require_inter(communicator);
    *size = communicator.peer_count();
  });
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  return communicator_call("MPI_Comm_remote_group", comm, [&](Rank&, const Communicator& communicator) {
    require_place(group, "group");
    require_inter(communicator);
    *group = give(communicator.peers());
  });
}

// Programs are started by ampirun alone.
int MPI_Comm_get_parent(MPI_Comm* parent) {
  return mpi_call("MPI_Comm_get_parent", [&] {
    running_rank();
    require_place(parent, "parent");
    *parent = MPI_COMM_NULL;
  });
}

}  // extern "C"
