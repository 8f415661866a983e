// SPDX-License-Identifier: Apache-2.0
// Intercommunicators, and communicators of groups that have none in common.
#include <string>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/communicators/group_object.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

namespace kaon::ampi {

namespace {

/// Only the leader's is looked at.
Bridge bridge_argument(Rank& rank, MPI_Comm peer_comm, int remote_leader, int tag) {
  Communicator& peer = communicator_of(rank, peer_comm);
  require_peer(peer, remote_leader, "the remote leader");
  require(tag >= 0, MPI_ERR_TAG, "the tag is {}", tag);
  return {peer, remote_leader, tag};
}

int member_argument(const Group& group, int member, const char* name) {
  require(member >= 0 && member < group.size(), MPI_ERR_RANK, "{} is {}, and the group has {} members", name, member,
          group.size());
  return member;
}

const char* text_argument(const char* text) {
  require_place(text, "stringtag");
  return text;
}

}  // namespace

extern "C" {

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                         MPI_Comm* newintercomm) {
  const char* const name = "MPI_Intercomm_create";
  return new_communicator(name, local_comm, newintercomm, [&](Rank& rank, Communicator& local) {
    require_intra(local);
    require_peer(local, local_leader, "the local leader");
    if (local.rank() != local_leader) return connect(name, rank, local, local_leader, nullptr);
    const Bridge bridge = bridge_argument(rank, peer_comm, remote_leader, tag);
    return connect(name, rank, local, local_leader, &bridge);
  });
}

int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  return new_communicator("MPI_Intercomm_merge", intercomm, newintracomm, [&](Rank& rank, Communicator& inter) {
    require_inter(inter);
    return merge("MPI_Intercomm_merge", rank, inter, high != 0);
  });
}

int MPI_Comm_create_from_group(MPI_Group group, const char* stringtag, MPI_Info info, MPI_Errhandler errhandler,
                               MPI_Comm* newcomm) {
  return making_call("MPI_Comm_create_from_group", errhandler, MPI_COMM_NULL, [&] {
    Rank& rank = running_rank();
    require_place(newcomm, "newcomm");
    const Group& members = group_of(group);
    const int tag = tag_of_text(text_argument(stringtag));
    const Info* const hints = info_or_null(info);
    Communicator& world = rank.part<Communicators>().world();
    CommunicatorRef made = create_of_group(rank, world, members, tag);
    if (!made) {
      *newcomm = MPI_COMM_NULL;
      return;
    }
    if (hints != nullptr) set_hints(*made, *hints);
    made->errors = error_handler_of<MPI_Comm>(errhandler);
    *newcomm = give(std::move(made));
  });
}

int MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                                     const char* stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                     MPI_Comm* newintercomm) {
  return making_call("MPI_Intercomm_create_from_groups", errhandler, MPI_COMM_NULL, [&] {
    Rank& rank = running_rank();
    require_place(newintercomm, "newintercomm");
    const Group& mine = group_of(local_group);
    const int leader = member_argument(mine, local_leader, "the local leader");
    const int tag = tag_of_text(text_argument(stringtag));
    const Info* const hints = info_or_null(info);
    Communicator& world = rank.part<Communicators>().world();
    CommunicatorRef local = create_of_group(rank, world, mine, tag);
    require(local != nullptr, MPI_ERR_GROUP, "this rank is not in its local group");
    CommunicatorRef made;
    if (local->rank() == leader) {
      const Group& others = group_of(remote_group);
      const Bridge bridge{world, others[member_argument(others, remote_leader, "the remote leader")], tag};
      made = connect("MPI_Intercomm_create_from_groups", rank, *local, leader, &bridge);
    } else {
      made = connect("MPI_Intercomm_create_from_groups", rank, *local, leader, nullptr);
    }
    if (hints != nullptr) set_hints(*made, *hints);
    made->errors = error_handler_of<MPI_Comm>(errhandler);
    *newintercomm = give(std::move(made));
  });
}

}  // extern "C"

}  // namespace kaon::ampi
