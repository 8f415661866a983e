// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <utility>

#include "kaon/ampi_shim/communicators/group.hpp"
#include "kaon/ampi_shim/datatypes/handled.hpp"

namespace kaon::ampi {

/// The object behind a handle of type MPI_Group: a group that exists until the program frees it.
class GroupObject final : public Handled<0x7072676e6f616b> {  // "kaongrp"
 public:
  explicit GroupObject(Group group) : group_(std::move(group)) {}
  const Group& group() const { return group_; }
  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory) noexcept;

 private:
  Group group_;
};

/// Throws MpiFault for a handle that is no group's.
const Group& group_of(MPI_Group handle);
/// A handle for the program; all empty groups are MPI_GROUP_EMPTY.
MPI_Group give(Group group);
void free_group(MPI_Group handle);

}  // namespace kaon::ampi
