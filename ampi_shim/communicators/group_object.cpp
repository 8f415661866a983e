// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/group_object.hpp"

#include "kaon/ampi_shim/datatypes/handle_memory.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

namespace {

// Of all ranks of the process. It is never destroyed: ranks may end later than static objects.
HandleMemory<GroupObject>& memory_of_groups() {
  static auto& memory = *new HandleMemory<GroupObject>;
  return memory;
}

GroupObject& object_of(MPI_Group handle) {
  if (handle == MPI_GROUP_NULL) throw MpiFault(MPI_ERR_GROUP, "the group is MPI_GROUP_NULL");
  const bool is_address = reinterpret_cast<std::uintptr_t>(handle) >= HandleWord::kFirst;
  if (auto* const object = is_address ? alive_at<GroupObject>(handle) : nullptr) return *object;
  throw MpiFault(MPI_ERR_GROUP, "that is not a group, or it has been freed");
}

}  // namespace

void* GroupObject::operator new(std::size_t) { return memory_of_groups().allocate(); }

void GroupObject::operator delete(void* memory) noexcept { memory_of_groups().release(memory); }

const Group& group_of(MPI_Group handle) {
  static const Group empty;
  return handle == MPI_GROUP_EMPTY ? empty : object_of(handle).group();
}

MPI_Group give(Group group) {
  if (group.size() == 0) return MPI_GROUP_EMPTY;
  return reinterpret_cast<MPI_Group>((new GroupObject(std::move(group)))->handle_word());
}

void free_group(MPI_Group handle) {
  if (handle != MPI_GROUP_EMPTY) delete &object_of(handle);
}

}  // namespace kaon::ampi
