// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon::ampi {

/// Ranks of the run in an order: member i of it is rank i of a communicator of this group. A value that never changes.
/// A thousand ranks of one process each hold the groups of their communicators, so the usual ones, all ranks and every
/// n-th of them, take three numbers, and others one list that copies share.
class Group {
 public:
  Group() = default;
  /// Ranks first, first + stride, ... of the run.
  Group(int first, int size, int stride = 1) : first_(first), stride_(stride), size_(size) {}
  explicit Group(std::vector<int> members);

  int size() const { return size_; }
  /// The rank in the run of a member, which must be one: 0 <= member < size().
  int operator[](int member) const {
    return list_ ? (*list_)[static_cast<std::size_t>(member)] : first_ + stride_ * member;
  }
  /// MPI_UNDEFINED: not a member.
  int member_of(int rank_in_run) const;
  std::vector<int> members() const;

  /// Translates members of this group into those of `other`: MPI_PROC_NULL stays, MPI_UNDEFINED if it has no such rank.
  std::vector<int> translate(std::span<const int> members, const Group& other) const;
  /// MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL.
  int compare(const Group& other) const;

  // The caller has checked the arguments: are_distinct_members.
  Group including(std::span<const int> chosen) const;
  Group excluding(std::span<const int> left_out) const;
  Group united(const Group& other) const;
  Group intersected(const Group& other) const;
  Group without(const Group& other) const;

 private:
  bool is_permutation_of(const Group& other) const;

  int first_ = 0;
  int stride_ = 1;
  int size_ = 0;
  std::shared_ptr<const std::vector<int>> list_;  // nullptr: the three numbers say it
};

/// From one member to another by a step, as MPI_Group_range_incl takes it.
struct GroupRange {
  int first;
  int last;
  int step;
};

/// The members that the ranges name, in their order; nothing where a step is 0 or leads away from the last, or a member
/// is not below `size`.
std::optional<std::vector<int>> members_of_ranges(std::span<const GroupRange> ranges, int size);
/// True if each is a member, and none occurs twice.
bool are_distinct_members(std::span<const int> members, int size);

}  // namespace kaon::ampi
