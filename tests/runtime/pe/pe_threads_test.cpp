// SPDX-License-Identifier: Apache-2.0
// threads: PEs of one process
// PEs as threads of one process: messages cross, PEs fall asleep and are woken, quiescence is found.
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/quiescence.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::pe_threads {

std::atomic<int> sent = 0, ran = 0, corrupted = 0;
std::atomic<bool> was_early = false;

void hop(Pe& pe, int hops, std::string text) {
  if (text != std::string(static_cast<std::size_t>(hops % 100), 'x')) ++corrupted;
  ++ran;
  if (hops == 0) return;
  ++sent;
  const PeId to = (pe.id() * 5 + static_cast<PeId>(hops) * 3 + 1) % pe.process().total_pes();
  RemoteProcedure<&hop, Counting::counted>::send(pe, to, hops - 1,
                                                 std::string(static_cast<std::size_t>((hops - 1) % 100), 'x'));
}

void stop(Pe& pe) { pe.stop(); }

void stop_all(Work&, Pe& pe) {
  was_early = sent != ran;
  for (PeId to = 0; to < pe.process().total_pes(); ++to) RemoteProcedure<&stop>::send(pe, to);
}

// What the thread of a PE does, without a launcher and a network.
void drive(Pe& pe, int chains, int hops) {
  const CurrentPe current(pe);
  Work waiter;
  waiter.run = &stop_all;
  for (int i = 0; i < chains; ++i) {
    ++sent;
    RemoteProcedure<&hop, Counting::counted>::send(pe, (pe.id() + 1) % pe.process().total_pes(), hops,
                                                   std::string(static_cast<std::size_t>(hops % 100), 'x'));
  }
  if (pe.id() == 0) pe.quiescence().await(waiter);
  while (!pe.is_stopped())
    if (!pe.run_some(64)) pe.parker().sleep();
}

void run(PeId pes, int chains, int hops) {
  sent = ran = corrupted = 0;
  Process process(default_options(), EntryTable::freeze(), Roster(1, static_cast<int>(pes)), 0);
  {
    std::vector<std::jthread> threads;
    for (PeId i = 0; i < pes; ++i) threads.emplace_back([&, i] { drive(process.pe(i), chains, hops); });
  }
  CHECK_FALSE(was_early);
  CHECK(ran == sent);
  CHECK(ran == static_cast<int>(pes) * chains * (hops + 1));
  CHECK(corrupted == 0);
}

}  // namespace kaon::testing::pe_threads

TEST_CASE("many messages cross between PEs that are threads", "[runtime][threads]") {
  kaon::testing::pe_threads::run(4, 20, 500);
}

TEST_CASE("PEs that have one message among them sleep and are woken", "[runtime][threads]") {
  kaon::testing::pe_threads::run(1, 1, 300);
  kaon::testing::pe_threads::run(2, 1, 1000);
  kaon::testing::pe_threads::run(3, 1, 1000);
}
