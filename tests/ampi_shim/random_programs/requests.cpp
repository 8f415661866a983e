// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/requests.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/ampi_shim/random_programs/reporting.hpp"

void Requests::add(MPI_Request request, bool is_sure, Done done, bool is_persistent) {
  pending_.push_back({request, is_sure, is_persistent, false, std::move(done)});
}

bool Requests::is_idle(MPI_Request request) const {
  return std::find(idle_.begin(), idle_.end(), request) != idle_.end();
}

void Requests::start(MPI_Request request, bool is_sure, Done done) {
  idle_.erase(std::find(idle_.begin(), idle_.end(), request));
  MPI_Request same = request;
  MPI_Start(&same);
  check(same == request, "MPI_Start has changed a handle");
  pending_.push_back({request, is_sure, true, true, std::move(done)});
}

bool Requests::has_sure() const {
  return std::any_of(pending_.begin(), pending_.end(), [](const Pending& each) { return each.is_sure; });
}

/// Some of the requests in any order, a sure one among them if there is one.
void Requests::choose(Random& random, bool only_sure, bool has_idle) {
  which_.clear();
  bool has_sure = false;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (pending_[i].is_sure ? has_sure && random.one_in(3) : only_sure || random.one_in(3)) continue;
    which_.push_back(static_cast<int>(i));
    has_sure = has_sure || pending_[i].is_sure;
  }
  if (has_idle) which_.insert(which_.end(), static_cast<std::size_t>(random.below(3)), -1);
  for (int i = static_cast<int>(which_.size()) - 1; i > 0; --i)
    std::swap(which_[static_cast<std::size_t>(i)], which_[static_cast<std::size_t>(random.below(i + 1))]);
  chosen_.clear();
  for (const int at : which_)
    chosen_.push_back(at >= 0                             ? pending_[static_cast<std::size_t>(at)].request
                      : idle_.empty() || random.one_in(2) ? MPI_REQUEST_NULL
                                                          : random.choose(idle_));
  // A handle must not stand in a list twice.
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    if (which_[i] < 0 && std::count(chosen_.begin(), chosen_.end(), chosen_[i]) > 1) chosen_[i] = MPI_REQUEST_NULL;
  indices_.assign(chosen_.size(), -1);
  statuses_.resize(chosen_.size());
}

/// What a call has completed: the i-th status is that of the request that indices[i] is the place of.
void Requests::take(int count, const int* indices) {
  std::vector<std::pair<Pending, MPI_Status>> complete;
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(indices[i]);
    check(place < which_.size() && which_[place] >= 0, "a request is complete that was not active");
    Pending& pending = pending_[static_cast<std::size_t>(which_[place])];
    check(chosen_[place] == (pending.is_persistent ? pending.request : MPI_REQUEST_NULL),
          "a complete request has the wrong handle");
    if (pending.is_reused) idle_.push_back(pending.request);
    complete.emplace_back(std::move(pending), statuses_[static_cast<std::size_t>(i)]);
    pending.done = nullptr;
  }
  pending_.erase(
      std::remove_if(pending_.begin(), pending_.end(), [](const Pending& each) { return each.done == nullptr; }),
      pending_.end());
  for (const auto& [pending, status] : complete) pending.done(status);
}

/// The first of those that were chosen, by the status that a look at it gives or by its own.
void Requests::wait_one(Random& random) {
  MPI_Status seen;
  int is_complete = 0;
  if (random.one_in(2)) MPI_Request_get_status(chosen_[0], &is_complete, &seen);
  MPI_Wait(chosen_.data(), statuses_.data());
  if (is_complete != 0) statuses_[0] = seen;
  const int first = 0;
  take(1, &first);
}

void Requests::complete_some(Random& random) {
  const int way = random.below(4);
  choose(random, way < 2, way >= 2);
  if (chosen_.empty() || !has_sure()) return;
  const int count = static_cast<int>(chosen_.size());
  int outcount = 0;
  if (way == 0) {
    wait_one(random);
  } else if (way == 1) {
    MPI_Waitall(count, chosen_.data(), statuses_.data());
    std::iota(indices_.begin(), indices_.end(), 0);
    take(count, indices_.data());
  } else if (way == 2) {
    MPI_Waitany(count, chosen_.data(), &outcount, statuses_.data());
    take(1, &outcount);
  } else {
    MPI_Waitsome(count, chosen_.data(), &outcount, indices_.data(), statuses_.data());
    check(outcount > 0, "MPI_Waitsome has completed nothing");
    take(outcount, indices_.data());
  }
}

void Requests::test_one(Random& random) {
  int flag = 0;
  const auto at = static_cast<std::size_t>(random.below(static_cast<int>(chosen_.size())));
  if (which_[at] < 0) return;
  MPI_Test(&chosen_[at], &flag, statuses_.data());
  const int place = static_cast<int>(at);
  if (flag != 0) take(1, &place);
}

void Requests::look(Random& random) {
  const int way = random.below(4), count_of_none = MPI_UNDEFINED;
  choose(random, false, way != 0 && way != 3);
  if (pending_.empty() || chosen_.empty()) return;
  const int count = static_cast<int>(chosen_.size());
  int flag = 0, outcount = 0;
  if (way == 0) {
    test_one(random);
  } else if (way == 1) {
    MPI_Testany(count, chosen_.data(), &outcount, &flag, statuses_.data());
    if (flag != 0 && outcount != MPI_UNDEFINED) take(1, &outcount);
  } else if (way == 2) {
    MPI_Testsome(count, chosen_.data(), &outcount, indices_.data(), statuses_.data());
    if (outcount != count_of_none) take(outcount, indices_.data());
  } else {
    MPI_Testall(count, chosen_.data(), &flag, statuses_.data());
    std::iota(indices_.begin(), indices_.end(), 0);
    if (flag != 0) take(count, indices_.data());
  }
}

void Requests::complete_all(Random& random) {
  for (Pending& each : pending_) each.is_sure = true;
  while (!pending_.empty()) random.one_in(4) ? look(random) : complete_some(random);
}
