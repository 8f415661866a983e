// SPDX-License-Identifier: Apache-2.0
// Prints on how many cores the threads of an OpenMP region in an entry may run, and on how many the process may.
#include <sched.h>

#include <cstdio>

#include <kaon/kaon.hpp>

namespace openmp {

constexpr int kThreads = 3;

cpu_set_t cores_of_this_thread() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  return cores;
}

const int kCoresOfProcess = [] {
  const cpu_set_t cores = cores_of_this_thread();
  return CPU_COUNT(&cores);
}();

class Node : public kaon::Chare<Node> {
 public:
  void run_region() {
    cpu_set_t all;
    CPU_ZERO(&all);
    int threads = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(kThreads)
    {
      const cpu_set_t own = cores_of_this_thread();
#pragma omp critical
      {
        CPU_OR(&all, &all, &own);
        ++threads;
      }
    }
#endif
    std::printf("%d threads on %d of %d cores\n", threads, CPU_COUNT(&all), kCoresOfProcess);
  }
};

kaon::Task<int> run(kaon::Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<Node>();
  co_await nodes[static_cast<int>(runtime.pes()) - 1].call<&Node::run_region>();
  co_return 0;
}

}  // namespace openmp

int main(int argc, char** argv) { return kaon::run(argc, argv, openmp::run); }
