// SPDX-License-Identifier: Apache-2.0
// Programs that a seed makes: every rank knows the whole plan, works on its part of it in an order of its own, and
// compares what it gets with what a sequential model permits. Any MPI can run it:
//   random_programs [FIRST_SEED [HOW_MANY]]
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "tests/ampi_shim/random_programs/collectives.hpp"
#include "tests/ampi_shim/random_programs/families.hpp"
#include "tests/ampi_shim/random_programs/incoming.hpp"
#include "tests/ampi_shim/random_programs/messages.hpp"
#include "tests/ampi_shim/random_programs/plan.hpp"
#include "tests/ampi_shim/random_programs/reporting.hpp"
#include "tests/ampi_shim/random_programs/requests.hpp"

namespace {

constexpr int kEpochs = 4;

/// What one rank does in one epoch.
class Part {
 public:
  Part(const Epoch& epoch, const Families& families, int rank, Requests& requests, Sender& sender, Receiver& receiver)
      : epoch_(epoch),
        families_(families),
        rank_(rank),
        requests_(requests),
        sender_(sender),
        receiver_(receiver),
        incoming_(epoch, families, rank),
        random_({scene.seed, static_cast<std::uint64_t>(scene.epoch), static_cast<std::uint64_t>(rank)}) {}

  void run() {
    if (epoch_.is_posted) {
      while (incoming_.can_post()) receiver_.post(incoming_, random_);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    start_all();
    receive_all();
    incoming_.check_order();
    receiver_.cancel_idle();
    if (random_.one_in(2)) requests_.complete_all(random_);
    meet();
    requests_.complete_all(random_);
  }

 private:
  /// Nothing in it waits for what another rank does after its own start_all().
  void start_all() {
    auto message = epoch_.messages.begin();
    auto collective = epoch_.collectives.begin();
    while (true) {
      while (message != epoch_.messages.end() && message->from != rank_) ++message;
      if (message == epoch_.messages.end() && collective == epoch_.collectives.end()) return;
      const int what = random_.below(8);
      if (what < 4 && message != epoch_.messages.end())
        sender_.send(*message++);
      else if (what == 4 && collective != epoch_.collectives.end())
        run_collective(*collective++, families_, rank_, requests_);
      else if (what == 5 && incoming_.can_post())
        receiver_.post(incoming_, random_);
      else if (what == 6)
        requests_.look(random_);
      else if (what == 7 && random_.one_in(4))
        receiver_.post_idle(random_);
    }
  }

  void receive_all() {
    while (!incoming_.is_complete()) {
      const int what = random_.below(4);
      if (what == 0)
        requests_.look(random_);
      else if (what == 1 || !incoming_.can_post())
        requests_.complete_some(random_);
      else if (what == 2)
        receiver_.post(incoming_, random_);
      else
        receiver_.receive(incoming_, random_);
    }
  }

  /// Nobody goes on before all have received everything: wild receives would take messages of the next epoch.
  void meet() const {
    int one = 1, ranks = 0, size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (epoch_.messages.size() % 2 == 0) {
      MPI_Barrier(MPI_COMM_WORLD);
    } else {
      MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check(ranks == size, "not all ranks have met");
    }
  }

  const Epoch& epoch_;
  const Families& families_;
  const int rank_;
  Requests& requests_;
  Sender& sender_;
  Receiver& receiver_;
  Incoming incoming_;
  Random random_;
};

void run_seed(std::uint64_t seed, int rank, int size) {
  scene = {seed, 0};
  Random plan{seed};
  Families families = make_families(plan, rank, size);
  {
    const Templates templates = make_templates(plan, families, size);
    Requests requests;
    Sender sender(families, templates, rank, requests);
    Random receives{seed, static_cast<std::uint64_t>(rank)};
    Receiver receiver(families, rank, requests, receives);
    for (; scene.epoch < kEpochs; ++scene.epoch) {
      const Epoch epoch = make_epoch(plan, families, templates, size);
      Part(epoch, families, rank, requests, sender, receiver).run();
    }
  }
  free_families(families);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  const std::uint64_t seeds = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    if (rank == 0) {  // the last line of a run that hangs
      std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
      std::fflush(stdout);
    }
    run_seed(seed, rank, size);
  }
  MPI_Finalize();
  if (rank == 0) std::printf("all is well\n");
  return 0;
}
