// SPDX-License-Identifier: Apache-2.0
// An unbalanced search, all solutions of N queens: by the best program for one core that we can write, by single
// chares, and by tasks of OpenMP that are cut alike. The ideal is the time on one core over the number of PEs.
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "examples/queens/board.hpp"

namespace tree_search {

using kaon::bench::Clock;
using kaon::bench::seconds_between;

using queens::Board;
using queens::solutions;

class Count : public kaon::Chare<Count> {
 public:
  void add(std::uint64_t found) { found_ += found; }
  std::uint64_t take() { return std::exchange(found_, 0); }

 private:
  std::uint64_t found_ = 0;
};

class Search : public kaon::Chare<Search> {
 public:
  Search(const Board& board, int grain, const kaon::Group<Count>& counts) {
    if (board.rows >= grain)
      counts.local().add(solutions(board));
    else
      board.each_next([&](const Board& next) { kaon::this_runtime().make<Search>(next, grain, counts); });
    destroy();
  }
};

std::uint64_t by_tasks(const Board& board, int grain) {
  if (board.rows >= grain) return solutions(board);
  std::vector<Board> parts;
  board.each_next([&](const Board& next) { parts.push_back(next); });
  std::vector<std::uint64_t> found(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
#pragma omp task shared(found, parts) firstprivate(i, grain)
    found[i] = by_tasks(parts[i], grain);
  }
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (const std::uint64_t each : found) sum += each;
  return sum;
}

/// The cores that the process may use: threads of OpenMP would have to share the one that a PE's thread is bound to.
class AllCores {
 public:
  AllCores() { sched_getaffinity(0, sizeof cores_, &cores_); }
  /// For the calling thread.
  void use() const { sched_setaffinity(0, sizeof cores_, &cores_); }

 private:
  cpu_set_t cores_;
};
const AllCores all_cores;  // before any PE is bound

std::uint64_t by_openmp(int size, int grain, int threads) {
  cpu_set_t own;
  sched_getaffinity(0, sizeof own, &own);
  std::uint64_t found = 0;
#pragma omp parallel num_threads(threads)
  {
    all_cores.use();
#pragma omp barrier
#pragma omp single
    found = by_tasks(Board{size}, grain);
  }
  sched_setaffinity(0, sizeof own, &own);
  return found;
}

struct Times {
  std::vector<double> alone, chares, tasks;  // seconds
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

kaon::Task<> measure_once(kaon::Runtime& runtime, int size, int grain, kaon::Group<Count> counts, Times& times) {
  auto began = Clock::now();
  const std::uint64_t right = solutions(Board{size});
  times.alone.push_back(seconds_between(began, Clock::now()));
  began = Clock::now();
  runtime.make<Search>(Board{size}, grain, counts);
  co_await runtime.quiescence();
  times.chares.push_back(seconds_between(began, Clock::now()));
  const std::uint64_t found = co_await counts.call_all<&Count::take>(kaon::sum);
  began = Clock::now();
  const std::uint64_t by_others = by_openmp(size, grain, static_cast<int>(runtime.pes()));
  times.tasks.push_back(seconds_between(began, Clock::now()));
  if (found != right || by_others != right) throw std::logic_error("searches of one board find different numbers");
}

kaon::Task<int> tree_search(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int size = 14, grain = 4, rounds = 5;
  kaon::bench::CommandLine app("An unbalanced search beside a program for one core and tasks of OpenMP");
  app.number("--size", size, 4, 18);
  app.number("--grain", grain, 1, 18, "rows from which on one chare searches alone");
  app.number("--rounds", rounds, 1, 1000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const auto counts = co_await runtime.create_group<Count>();
  Times times;
  for (int round = 0; round < rounds; ++round) co_await measure_once(runtime, size, grain, counts, times);
  const double ideal = median(times.alone) / static_cast<double>(runtime.pes());
  kaon::bench::print_measurement("search on one core", median(times.alone) * 1e3, "ms");
  kaon::bench::print_measurement("search by chares, of ideal", ideal / median(times.chares), "x");
  kaon::bench::print_measurement("search by OpenMP tasks, of ideal", ideal / median(times.tasks), "x");
  co_return 0;
}

}  // namespace tree_search

int main(int argc, char** argv) { return kaon::run(argc, argv, tree_search::tree_search); }
