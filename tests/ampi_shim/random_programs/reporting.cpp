// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/reporting.hpp"

#include <mpi.h>

#include <cstdio>

namespace {

void fail(const char* what) {
  int rank = -1, size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::fprintf(stderr, "random_programs, seed %llu, %d ranks: epoch %d, rank %d: %s\n",
               static_cast<unsigned long long>(scene.seed), size, scene.epoch, rank, what);
  MPI_Abort(MPI_COMM_WORLD, 99);
}

}  // namespace

void check(bool holds, const char* what) {
  if (!holds) fail(what);
}

void check(bool holds, const std::string& what) {
  if (!holds) fail(what.c_str());
}
