// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/group.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace kaon::ampi {

namespace {

/// Members of a group by their rank in the run, for those who ask often: a list is searched once, not each time.
class Members {
 public:
  explicit Members(const Group& group) {
    member_of_.reserve(static_cast<std::size_t>(group.size()));
    for (int member = 0; member < group.size(); ++member) member_of_.emplace(group[member], member);
  }
  int operator()(int rank_in_run) const {
    const auto found = member_of_.find(rank_in_run);
    return found == member_of_.end() ? MPI_UNDEFINED : found->second;
  }

 private:
  std::unordered_map<int, int> member_of_;
};

/// The distance between neighbours of the list where it is the same throughout; 0: it is not, or none fits.
int stride_of(const std::vector<int>& members) {
  if (members.size() < 2) return 1;
  const int stride = members[1] - members[0];
  for (std::size_t member = 2; member < members.size(); ++member) {
    if (members[member] - members[member - 1] != stride) return 0;
  }
  return stride;
}

}  // namespace

Group::Group(std::vector<int> members) : size_(static_cast<int>(members.size())) {
  if (members.empty()) return;
  first_ = members.front();
  stride_ = stride_of(members);
  if (stride_ != 0) return;
  members.shrink_to_fit();
  list_ = std::make_shared<const std::vector<int>>(std::move(members));
}

int Group::member_of(int rank_in_run) const {
  if (list_) {
    const auto found = std::find(list_->begin(), list_->end(), rank_in_run);
    return found == list_->end() ? MPI_UNDEFINED : static_cast<int>(found - list_->begin());
  }
  const int distance = rank_in_run - first_;
  if (size_ == 0 || distance % stride_ != 0) return MPI_UNDEFINED;
  const int member = distance / stride_;
  return member >= 0 && member < size_ ? member : MPI_UNDEFINED;
}

std::vector<int> Group::members() const {
  std::vector<int> all(static_cast<std::size_t>(size_));
  for (int member = 0; member < size_; ++member) all[static_cast<std::size_t>(member)] = (*this)[member];
  return all;
}

std::vector<int> Group::translate(std::span<const int> members, const Group& other) const {
  std::vector<int> translated;
  translated.reserve(members.size());
  const auto translate_all = [&](const auto& in_other) {
    for (const int member : members)
      translated.push_back(member == MPI_PROC_NULL ? MPI_PROC_NULL : in_other((*this)[member]));
  };
  if (other.list_)
    translate_all(Members(other));
  else
    translate_all([&other](int rank_in_run) { return other.member_of(rank_in_run); });
  return translated;
}

int Group::compare(const Group& other) const {
  if (size_ != other.size_) return MPI_UNEQUAL;
  if (list_ == other.list_ && first_ == other.first_ && stride_ == other.stride_) return MPI_IDENT;
  if (members() == other.members()) return MPI_IDENT;
  return is_permutation_of(other) ? MPI_SIMILAR : MPI_UNEQUAL;
}

bool Group::is_permutation_of(const Group& other) const {
  std::vector<int> mine = members();
  std::vector<int> others = other.members();
  std::sort(mine.begin(), mine.end());
  std::sort(others.begin(), others.end());
  return mine == others;
}

Group Group::including(std::span<const int> chosen) const {
  std::vector<int> members;
  members.reserve(chosen.size());
  for (const int member : chosen) members.push_back((*this)[member]);
  return Group(std::move(members));
}

Group Group::excluding(std::span<const int> left_out) const {
  std::vector<bool> is_out(static_cast<std::size_t>(size_));
  for (const int member : left_out) is_out[static_cast<std::size_t>(member)] = true;
  std::vector<int> kept;
  for (int member = 0; member < size_; ++member) {
    if (!is_out[static_cast<std::size_t>(member)]) kept.push_back((*this)[member]);
  }
  return Group(std::move(kept));
}

Group Group::united(const Group& other) const {
  const Members here(*this);
  std::vector<int> all = members();
  for (int member = 0; member < other.size(); ++member) {
    if (here(other[member]) == MPI_UNDEFINED) all.push_back(other[member]);
  }
  return Group(std::move(all));
}

Group Group::intersected(const Group& other) const {
  const Members there(other);
  std::vector<int> common;
  for (int member = 0; member < size_; ++member) {
    if (there((*this)[member]) != MPI_UNDEFINED) common.push_back((*this)[member]);
  }
  return Group(std::move(common));
}

Group Group::without(const Group& other) const {
  const Members there(other);
  std::vector<int> rest;
  for (int member = 0; member < size_; ++member) {
    if (there((*this)[member]) == MPI_UNDEFINED) rest.push_back((*this)[member]);
  }
  return Group(std::move(rest));
}

namespace {

bool append_range(const GroupRange& range, int size, std::vector<int>& members) {
  const auto is_member = [size](std::int64_t member) { return member >= 0 && member < size; };
  if (range.step == 0 || !is_member(range.first)) return false;
  if (range.first != range.last && (range.step > 0) != (range.last > range.first)) return false;
  const std::int64_t step = range.step;
  const std::int64_t count = (std::int64_t{range.last} - range.first) / step + 1;
  if (!is_member(range.first + (count - 1) * step)) return false;
  for (std::int64_t i = 0; i < count; ++i) members.push_back(static_cast<int>(range.first + i * step));
  return true;
}

}  // namespace

std::optional<std::vector<int>> members_of_ranges(std::span<const GroupRange> ranges, int size) {
  std::vector<int> members;
  for (const GroupRange& range : ranges) {
    if (!append_range(range, size, members)) return std::nullopt;
  }
  return members;
}

bool are_distinct_members(std::span<const int> members, int size) {
  std::vector<bool> seen(static_cast<std::size_t>(size));
  for (const int member : members) {
    if (member < 0 || member >= size || seen[static_cast<std::size_t>(member)]) return false;
    seen[static_cast<std::size_t>(member)] = true;
  }
  return true;
}

}  // namespace kaon::ampi
