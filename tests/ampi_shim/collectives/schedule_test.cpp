// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/schedule.hpp"

#include <mpi.h>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

/// Whoever runs a schedule where no function of the program may be called.
struct Owner final : ScheduleOwner {
  void ended(int with) override { error = with; }
  bool may_call_program() override { return false; }
  void held_up() override { is_held_up = true; }
  int error = -1;
  bool is_held_up = false;
};

/// Messages that come when the test says so.
struct Wire final : Transport {
  bool send(Side, int, int, const Piece&, Completion&) override { return true; }
  bool receive(Side, int, int, const Piece&, Completion& completion) override {
    receiver = &completion;
    return false;
  }
  Completion* receiver = nullptr;
};

void add(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

}  // namespace

TEST_CASE("a schedule that was held up ends with the error of a message before", "[ampi][collectives]") {
  const int error = GENERATE(MPI_SUCCESS, MPI_ERR_TRUNCATE);
  Operation* const operation = Operation::make(&add, true);
  int left = 3, right = 4;
  Schedule schedule;
  schedule.receive(0, {&left, 1, Datatype::of(MPI_INT)});
  schedule.fence();
  schedule.combine(*operation, &left, {&right, 1, Datatype::of(MPI_INT)});
  Owner owner;
  Wire wire;
  REQUIRE_FALSE(schedule.start(wire, 1, owner));
  wire.receiver->completed(error);
  REQUIRE(owner.is_held_up);
  CHECK(owner.error == -1);
  CHECK(schedule.go_on());
  CHECK(owner.error == error);
  CHECK(right == 7);
  CHECK_FALSE(schedule.go_on());
  operation->free_handle();
}

TEST_CASE("a schedule ends with the error of the first message that has one", "[ampi][collectives]") {
  int first = 0, second = 0;
  Schedule schedule;
  schedule.receive(0, {&first, 1, Datatype::of(MPI_INT)});
  schedule.receive(1, {&second, 1, Datatype::of(MPI_INT)});
  Owner owner;
  Wire wire;
  REQUIRE_FALSE(schedule.start(wire, 1, owner));
  wire.receiver->completed(MPI_ERR_TRUNCATE);
  CHECK(owner.error == -1);
  wire.receiver->completed(GENERATE(MPI_SUCCESS, MPI_ERR_OTHER));
  CHECK(owner.error == MPI_ERR_TRUNCATE);
}

}  // namespace kaon::ampi
