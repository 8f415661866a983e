// SPDX-License-Identifier: Apache-2.0
// Exceptions of C++ while other ranks run: caught ones, those on their way, and what an error handler throws.
#include <exception>
#include <stdexcept>
#include <string>

#include "check.h"

namespace {

constexpr int kRounds = 20;

void let_others_run() { MPI_Barrier(MPI_COMM_WORLD); }

void rethrow(const std::string& mine) {
  try {
    try {
      throw std::runtime_error(mine);
    } catch (const std::exception&) {
      let_others_run();
      throw;
    }
  } catch (const std::exception& error) {
    let_others_run();
    CHECK(error.what() == mine);
  }
}

void nest(const std::string& mine) {
  try {
    throw std::runtime_error(mine);
  } catch (const std::exception& outer) {
    let_others_run();
    try {
      throw std::logic_error(mine + "x");
    } catch (const std::logic_error& inner) {
      let_others_run();
      CHECK(inner.what() == mine + "x");
    }
    let_others_run();
    CHECK(outer.what() == mine);
    CHECK(std::current_exception() != nullptr);
  }
  CHECK(std::current_exception() == nullptr);
}

struct WaitsAtItsEnd {
  bool waits;
  ~WaitsAtItsEnd() {
    CHECK(std::uncaught_exceptions() == 1);
    if (waits) let_others_run();
    CHECK(std::uncaught_exceptions() == 1);
  }
};

// Of some ranks the barrier is met while an exception is on its way, of others not.
void unwind(const std::string& mine, bool waits) {
  try {
    const WaitsAtItsEnd waiting{waits};
    throw std::runtime_error(mine);
  } catch (const std::exception& error) {
    CHECK(error.what() == mine);
  }
  if (!waits) let_others_run();
  CHECK(std::uncaught_exceptions() == 0);
}

void throw_code(MPI_Comm*, int* code, ...) { throw *code; }

void throw_in_handler() {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(throw_code, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  int caught = MPI_SUCCESS;
  try {
    MPI_Send(&caught, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
  } catch (int code) {
    caught = code;
  }
  CHECK(caught == MPI_ERR_COUNT);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world();
  const std::string mine = "the exception of rank " + std::to_string(rank);
  for (int round = 0; round < kRounds; ++round) {
    rethrow(mine);
    nest(mine);
    unwind(mine, true);
    unwind(mine, (rank + round) % 3 == 0);
  }
  throw_in_handler();
  let_others_run();
  if (rank == 0) std::printf("all is well\n");
  MPI_Finalize();
}
