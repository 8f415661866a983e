// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "tests/ampi_shim/random_programs/random.hpp"

/// The requests that a rank has not completed yet, which it completes by all functions that there are for it.
class Requests {
 public:
  using Done = std::function<void(const MPI_Status&)>;

  /// `is_sure`: it completes whatever this rank does from now on. `is_persistent`: its handle stays, to be freed by
  /// `done`.
  void add(MPI_Request request, bool is_sure, Done done, bool is_persistent = false);
  /// A persistent request that is started again and again. While it is not active it stands among others that are
  /// waited for.
  void add_idle(MPI_Request request) { idle_.push_back(request); }
  bool is_idle(MPI_Request request) const;
  void start(MPI_Request request, bool is_sure, Done done);

  /// At least one, unless none is sure.
  void complete_some(Random& random);
  /// Those that are complete by now, perhaps.
  void look(Random& random);
  /// When all are sure.
  void complete_all(Random& random);
  bool has_sure() const;

 private:
  struct Pending {
    MPI_Request request;
    bool is_sure, is_persistent, is_reused;
    Done done;
  };

  void choose(Random& random, bool only_sure, bool has_idle);
  void take(int count, const int* indices);
  void wait_one(Random& random);
  void test_one(Random& random);

  std::vector<Pending> pending_;
  std::vector<MPI_Request> idle_;
  // Of one call: requests, which of pending_ each is (-1: none), and what the call gives.
  std::vector<MPI_Request> chosen_;
  std::vector<int> which_, indices_;
  std::vector<MPI_Status> statuses_;
};
