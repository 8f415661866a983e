// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <string_view>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/communicators/group_object.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

namespace kaon::ampi {

namespace {

/// What a duplicate has at once; its context comes later.
CommunicatorRef begin_duplicate(Communicator& communicator, const Info* info) {
  CommunicatorRef made = same_groups(communicator);
  made->topology = communicator.topology;
  if (info != nullptr) set_hints(*made, *info);
  const int code = made->attributes.copy_from(communicator.handle(), communicator.attributes);
  require(code == MPI_SUCCESS, code, "the copy function of an attribute has failed");
  return made;
}

int duplicate(const char* function, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return new_communicator(function, comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    CommunicatorRef made = begin_duplicate(communicator, info_or_null(info));
    run_now(function, rank, communicator,
            [&](Schedule& schedule) { plan_context(schedule, rank, communicator, &made->context_place()); });
    return made;
  });
}

int start_duplicate(const Call& call, MPI_Info info, MPI_Comm* newcomm) {
  return collective_call(call, [&](Collective& collective) {
    require_place(newcomm, "newcomm");
    Communicator& communicator = collective.communicator();
    CommunicatorRef made = begin_duplicate(communicator, info_or_null(info));
    collective.keep(*made);
    plan_context(collective.schedule(), collective.rank(), communicator, &made->context_place());
    *newcomm = give(std::move(made));
  });
}

}  // namespace

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) { return duplicate("MPI_Comm_dup", comm, MPI_INFO_NULL, newcomm); }

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return duplicate("MPI_Comm_dup_with_info", comm, info, newcomm);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return start_duplicate({"MPI_Comm_idup", comm, Form::nonblocking, request}, MPI_INFO_NULL, newcomm);
}

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  return start_duplicate({"MPI_Comm_idup_with_info", comm, Form::nonblocking, request}, info, newcomm);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return new_communicator("MPI_Comm_split", comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    require(color >= 0 || color == MPI_UNDEFINED, MPI_ERR_ARG, "the color is {}", color);
    return split("MPI_Comm_split", rank, communicator, color, key);
  });
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return new_communicator("MPI_Comm_create", comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    const Group& members = group_of(group);
    const Group common = members.intersected(communicator.group());
    require(common.size() == members.size(), MPI_ERR_GROUP, "the group has members that the communicator has not");
    const int key = members.member_of(rank.number());
    // Groups that are made side by side are disjoint: a member tells them apart.
    const int color = key == MPI_UNDEFINED ? MPI_UNDEFINED : communicator.is_inter() ? 0 : members[0];
    return split("MPI_Comm_create", rank, communicator, color, key);
  });
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return new_communicator("MPI_Comm_create_group", comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    require_intra(communicator);
    require(tag >= 0, MPI_ERR_TAG, "the tag is {}", tag);
    const Group& members = group_of(group);
    const Group common = members.intersected(communicator.group());
    require(common.size() == members.size(), MPI_ERR_GROUP, "the group has members that the communicator has not");
    return create_of_group(rank, communicator, members, tag);
  });
}

}  // extern "C"

namespace {

/// A number that all ranks of this host have in common.
std::int64_t host_number() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return static_cast<std::int64_t>(std::hash<std::string_view>{}(name.data()) >> 1);
}

/// Of which color a rank is in a split by hardware. What is no known part of the hardware is nobody's: the standard
/// allows that, and has all ranks then get MPI_COMM_NULL.
std::int64_t hardware_color(int split_type, const Info* info) {
  const std::string* const resource = info != nullptr ? info->find("mpi_hw_resource_type") : nullptr;
  const bool is_shared_memory = resource != nullptr && *resource == "mpi_shared_memory";
  const bool may_name = split_type == MPI_COMM_TYPE_HW_GUIDED || split_type == MPI_COMM_TYPE_RESOURCE_GUIDED;
  if (split_type == MPI_COMM_TYPE_SHARED || (may_name && is_shared_memory)) return host_number();
  const bool is_known = may_name || split_type == MPI_UNDEFINED || split_type == MPI_COMM_TYPE_HW_UNGUIDED;
  require(is_known, MPI_ERR_ARG, "the split type is {}", split_type);
  return MPI_UNDEFINED;
}

}  // namespace

extern "C" {

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return new_communicator("MPI_Comm_split_type", comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    const Info* const hints = info_or_null(info);
    CommunicatorRef made = split("MPI_Comm_split_type", rank, communicator, hardware_color(split_type, hints), key);
    if (made && hints != nullptr) set_hints(*made, *hints);
    return made;
  });
}

}  // extern "C"

}  // namespace kaon::ampi
