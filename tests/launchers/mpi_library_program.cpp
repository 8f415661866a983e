// SPDX-License-Identifier: Apache-2.0
// A program of MPI and OpenMP that calls a library, which runs Kaon for a while on the same processes, again and again.
// What each of the three sums up is compared. By its arguments: one session for all calls, or one for each; and whether
// they find each other by MPI or by the launcher. Or a run that waits to be ended, or that fails.
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>
#include <kaon/mpi_peers.hpp>

namespace library {

class Adder : public kaon::Chare<Adder> {
 public:
  explicit Adder(std::vector<double> part = {}) : part_(std::move(part)) {}
  int say_ready() {
    const int process = kaon::this_runtime().process();
    std::printf("ready %d pid %d\n", process, static_cast<int>(getpid()));
    std::fflush(stdout);
    return process;
  }
  void fail() { throw std::runtime_error("the entry gave up"); }
  double sum() const { return std::accumulate(part_.begin(), part_.end(), 0.0); }

 private:
  std::vector<double> part_;
};

/// Adds up what all processes give. What a process gives comes to its chares by its main task's process, as a program
/// of MPI would gather it; the result is there in all.
class Sums {
 public:
  Sums(bool keeps_session, bool is_by_mpi) : keeps_session_(keeps_session), is_by_mpi_(is_by_mpi) {}
  ~Sums() {
    if (session_ != nullptr) session_->stop();
  }

  double of(const std::vector<double>& gathered, int pieces) {
    if (session_ == nullptr) session_ = open();
    double total = 0;
    session_->run([&](kaon::Runtime& runtime) { return add(runtime, gathered, pieces, total); });
    if (!keeps_session_) session_.reset();
    return total;
  }

 private:
  [[nodiscard]] std::unique_ptr<kaon::Session> open() const {
    if (is_by_mpi_) return std::make_unique<kaon::Session>(kaon::peers_of(MPI_COMM_WORLD));
    return std::make_unique<kaon::Session>();
  }
  static kaon::Task<int> add(kaon::Runtime& runtime, const std::vector<double>& gathered, int pieces, double& total) {
    const auto adders = co_await runtime.create_sparse<Adder>();
    const std::size_t each = gathered.size() / static_cast<std::size_t>(pieces);
    for (int i = 0; i < pieces; ++i) {
      const auto begin = gathered.begin() + static_cast<std::ptrdiff_t>(each * static_cast<std::size_t>(i));
      co_await adders[i].insert_and_wait(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(each)));
    }
    total = co_await adders.call_all<&Adder::sum>(kaon::sum);
    co_await adders.destroy_and_wait();
    co_return 0;
  }

  bool keeps_session_;
  bool is_by_mpi_;
  std::unique_ptr<kaon::Session> session_;
};

/// Does not come back: the run is ended, or fails by itself in the last process.
void stay(bool fails) {
  kaon::Session session(kaon::peers_of(MPI_COMM_WORLD));
  session.run([fails](kaon::Runtime& runtime) -> kaon::Task<int> {
    const auto adders = co_await runtime.create_group<Adder>();
    co_await adders.call_all<&Adder::say_ready>(kaon::sum);
    if (fails) adders[static_cast<int>(runtime.pes()) - 1].send<&Adder::fail>();
    co_await runtime.sleep_for(std::chrono::minutes(5));
    co_return 0;
  });
}

}  // namespace library

namespace {

constexpr int kCount = 1000;

std::vector<double> values_of(int rank, int round) {
  std::vector<double> values(kCount);
  for (int i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = rank * kCount + i + round;
  return values;
}

double by_openmp(const std::vector<double>& values) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i];
  return sum;
}

/// Ranks in which the three do not agree.
int count_wrong(library::Sums& sums, int round) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<double> own = values_of(rank, round);
  std::vector<double> gathered(own.size() * static_cast<std::size_t>(ranks));
  MPI_Gather(own.data(), kCount, MPI_DOUBLE, gathered.data(), kCount, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  double by_kaon = sums.of(gathered, 4 * ranks);  // in process 0
  MPI_Bcast(&by_kaon, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const double part = by_openmp(own);
  double by_mpi = 0;
  MPI_Allreduce(&part, &by_mpi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const int is_wrong = by_mpi != by_kaon ? 1 : 0;
  int wrong = 0;
  MPI_Allreduce(&is_wrong, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.at(0) == "wait" || words[0] == "fail") {
    library::stay(words[0] == "fail");
  } else {
    library::Sums sums(words.at(0) == "one session", words.at(1) == "by MPI");
    for (int round = 0; round < 5; ++round) wrong += count_wrong(sums, round);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("%d wrong\n", wrong);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
