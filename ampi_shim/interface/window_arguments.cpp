// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/window_arguments.hpp"

#include "kaon/ampi_shim/communicators/group_object.hpp"

namespace kaon::ampi {

void check_member(const Window& window, int rank) {
  const int size = window.communicator().size();
  require(rank >= 0 && rank < size, MPI_ERR_RANK, "rank {} is none of the {} of the window", rank, size);
}

std::vector<int> members_argument(const Window& window, MPI_Group handle) {
  const Group& group = group_of(handle);
  std::vector<int> members;
  for (int i = 0; i < group.size(); ++i) {
    members.push_back(window.communicator().group().member_of(group[i]));
    require(members.back() != MPI_UNDEFINED, MPI_ERR_GROUP, "rank {} of the group is not in the window's", i);
  }
  return members;
}

void check_assertion(int assertion, int allowed) {
  require((assertion & ~allowed) == 0, MPI_ERR_ASSERT, "the assertion has bits that are not for this function: {:#x}",
          assertion & ~allowed);
}

}  // namespace kaon::ampi
