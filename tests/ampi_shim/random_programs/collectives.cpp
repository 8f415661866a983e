// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/collectives.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/ampi_shim/random_programs/reporting.hpp"

namespace {

using Value = std::uint64_t;
const MPI_Datatype kType = MPI_UINT64_T;

/// One collective under way, with its memory.
class Running {
 public:
  Running(const Collective& what, const Family& family, int rank)
      : what_(what),
        comm_(family.comm),
        place_(family.place_of(rank)),
        size_(static_cast<int>(family.peers_of(rank).size())),
        root_(what.root % size_) {}

  /// The request, or MPI_REQUEST_NULL when all is done.
  MPI_Request start();
  void end();

 private:
  Value value(int place, int at) const {
    return Random::mixed(static_cast<Value>(what_.id) << 40 ^ static_cast<Value>(place) << 20 ^ static_cast<Value>(at));
  }
  Value sum(int places, int at) const {
    Value sum = 0;
    for (int place = 0; place < places; ++place) sum += value(place, at);
    return sum;
  }
  // Of v-variants: what a rank has, and what one sends to another.
  int count_of(int place) const { return (what_.count + 3 * place) % 7; }
  int count_between(int from, int to) const { return (what_.count + from + 2 * to) % 5; }

  void fill(int count);
  void expect(int count, Value (Running::*model)(int) const);
  Value model_of_blocks(int at) const { return value(at / what_.count, at % what_.count); }
  Value model_of_alltoall(int at) const { return value(at / what_.count, place_ * what_.count + at % what_.count); }
  Value model_of_sums(int at) const { return sum(size_, at); }
  Value model_of_scan(int at) const { return sum(place_ + 1, at); }
  Value model_of_exscan(int at) const { return sum(place_, at); }
  Value model_of_scattered_sums(int at) const { return sum(size_, place_ * what_.count + at); }
  Value model_of_scatter(int at) const { return value(root_, place_ * what_.count + at); }
  Value model_of_root(int at) const { return value(root_, at); }

  void prepare_allgatherv();
  void prepare_alltoallv();
  void start_rooted();
  void start_together();
  void start_reduction();

  template <typename Blocking, typename Nonblocking, typename Persistent, typename... Arguments>
  void call(Blocking blocking, Nonblocking nonblocking, Persistent persistent, Arguments... arguments) {
    if (what_.form == Form::kBlocking) {
      blocking(arguments...);
    } else if (what_.form == Form::kNonblocking) {
      nonblocking(arguments..., &request_);
    } else {
      persistent(arguments..., MPI_INFO_NULL, &request_);
      MPI_Start(&request_);
    }
  }

  const Collective what_;
  const MPI_Comm comm_;
  const int place_, size_, root_;
  std::vector<Value> out_, in_, expected_;
  std::vector<int> counts_out_, places_out_, counts_in_, places_in_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

void Running::fill(int count) {
  for (int i = 0; i < count; ++i) out_.push_back(value(place_, i));
}

void Running::expect(int count, Value (Running::*model)(int) const) {
  for (int i = 0; i < count; ++i) expected_.push_back((this->*model)(i));
  in_.assign(expected_.size(), 0);
}

void Running::prepare_allgatherv() {
  fill(count_of(place_));
  for (int from = 0; from < size_; ++from) {
    counts_in_.push_back(count_of(from));
    places_in_.push_back(static_cast<int>(expected_.size()) + 1);  // a gap before each
    expected_.push_back(0);
    for (int i = 0; i < count_of(from); ++i) expected_.push_back(value(from, i));
  }
  in_.assign(expected_.size(), 0);
}

void Running::prepare_alltoallv() {
  for (int peer = 0; peer < size_; ++peer) {
    counts_out_.push_back(count_between(place_, peer));
    places_out_.push_back(static_cast<int>(out_.size()));
    for (int i = 0; i < counts_out_.back(); ++i) out_.push_back(value(place_, peer * 8 + i));
    counts_in_.push_back(count_between(peer, place_));
    places_in_.push_back(static_cast<int>(expected_.size()));
    for (int i = 0; i < counts_in_.back(); ++i) expected_.push_back(value(peer, place_ * 8 + i));
  }
  in_.assign(expected_.size(), 0);
}

void Running::start_rooted() {
  const int count = what_.count;
  const bool is_root = place_ == root_;
  if (what_.kind == Kind::kBroadcast) {
    expect(count, &Running::model_of_root);
    if (is_root) in_ = expected_;
    call(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, in_.data(), count, kType, root_, comm_);
  } else if (what_.kind == Kind::kReduce) {
    fill(count);
    if (is_root) expect(count, &Running::model_of_sums);
    call(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, out_.data(), in_.data(), count, kType, MPI_SUM, root_, comm_);
  } else if (what_.kind == Kind::kGather) {
    fill(count);
    if (is_root) expect(count * size_, &Running::model_of_blocks);
    call(MPI_Gather, MPI_Igather, MPI_Gather_init, out_.data(), count, kType, in_.data(), count, kType, root_, comm_);
  } else {
    if (is_root) fill(count * size_);
    expect(count, &Running::model_of_scatter);
    call(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out_.data(), count, kType, in_.data(), count, kType, root_,
         comm_);
  }
}

void Running::start_together() {
  const int count = what_.count;
  if (what_.kind == Kind::kAllgather) {
    fill(count);
    expect(count * size_, &Running::model_of_blocks);
    call(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, out_.data(), count, kType, in_.data(), count, kType, comm_);
  } else if (what_.kind == Kind::kAllgatherv) {
    prepare_allgatherv();
    call(MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, out_.data(), count_of(place_), kType, in_.data(),
         counts_in_.data(), places_in_.data(), kType, comm_);
  } else if (what_.kind == Kind::kAlltoall) {
    fill(count * size_);
    expect(count * size_, &Running::model_of_alltoall);
    call(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out_.data(), count, kType, in_.data(), count, kType, comm_);
  } else if (what_.kind == Kind::kAlltoallv) {
    prepare_alltoallv();
    call(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out_.data(), counts_out_.data(), places_out_.data(), kType,
         in_.data(), counts_in_.data(), places_in_.data(), kType, comm_);
  } else {
    call(MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, comm_);
  }
}

void Running::start_reduction() {
  const int count = what_.count;
  if (what_.kind == Kind::kReduceScatterBlock) {
    fill(count * size_);
    expect(count, &Running::model_of_scattered_sums);
    call(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init, out_.data(), in_.data(),
         count, kType, MPI_SUM, comm_);
    return;
  }
  fill(count);
  if (what_.kind == Kind::kAllreduce) {
    expect(count, &Running::model_of_sums);
    call(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, out_.data(), in_.data(), count, kType, MPI_SUM, comm_);
  } else if (what_.kind == Kind::kScan) {
    expect(count, &Running::model_of_scan);
    call(MPI_Scan, MPI_Iscan, MPI_Scan_init, out_.data(), in_.data(), count, kType, MPI_SUM, comm_);
  } else {
    expect(count, &Running::model_of_exscan);  // the first rank's stays as it is, 0
    call(MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, out_.data(), in_.data(), count, kType, MPI_SUM, comm_);
  }
}

MPI_Request Running::start() {
  switch (what_.kind) {
    case Kind::kBroadcast:
    case Kind::kReduce:
    case Kind::kGather:
    case Kind::kScatter:
      start_rooted();
      break;
    case Kind::kAllreduce:
    case Kind::kScan:
    case Kind::kExscan:
    case Kind::kReduceScatterBlock:
      start_reduction();
      break;
    default:
      start_together();
  }
  return request_;
}

void Running::end() {
  if (what_.form == Form::kPersistent) MPI_Request_free(&request_);
  check(in_ == expected_, "collective " + std::to_string(what_.id) + " of kind " +
                              std::to_string(static_cast<int>(what_.kind)) + ", form " +
                              std::to_string(static_cast<int>(what_.form)) + ": wrong values");
}

}  // namespace

void run_collective(const Collective& what, const Families& families, int rank, Requests& requests) {
  const auto running = std::make_shared<Running>(what, families[static_cast<std::size_t>(what.family)], rank);
  MPI_Request request = running->start();
  if (what.form == Form::kBlocking) return running->end();
  requests.add(
      request, true, [running](const MPI_Status&) { running->end(); }, what.form == Form::kPersistent);
}
