// SPDX-License-Identifier: Apache-2.0
// threads: PEs of one process
#include "kaon/runtime/pe/execution.hpp"

#include <sched.h>

#include <thread>
#include <vector>

#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

// The processors that the thread of a process' first PE may use.
cpu_set_t processors_of(const Roster& roster, int process) {
  Process subject(default_options(), EntryTable::freeze(), roster, process);
  cpu_set_t processors;
  CPU_ZERO(&processors);
  std::thread([&] {
    pin_thread_of(subject.pe(0));
    sched_getaffinity(0, sizeof processors, &processors);
  }).join();
  return processors;
}

}  // namespace

TEST_CASE("a PE's core goes by its process' place on the host, not by its number in the run", "[runtime][execution]") {
  const cpu_set_t alone = processors_of(Roster(1, 1), 0);
  const Roster roster(std::vector{0, 1, 2, 0}, 1);
  for (const int process : {1, 2}) {
    const cpu_set_t processors = processors_of(roster, process);
    CHECK(CPU_EQUAL(&processors, &alone));
  }
}
