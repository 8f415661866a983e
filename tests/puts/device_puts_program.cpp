// SPDX-License-Identifier: Apache-2.0
// processes: 2 4
// Kernels of the first PE's device start puts into the memory of the last one's, which checks them. The exit code says
// whether all was right. On two GPUs: as one process with --pes 2, or two processes.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/puts/put_node.hpp"

namespace {

using kaon::gpu::PutsStartedBy;
using kaon::testing::PutNode;
using kaon::testing::PutPlan;

kaon::Task<std::uint32_t> exchange_by_plans(kaon::Group<PutNode> nodes, int last) {
  const PutPlan plans[] = {{.rounds = 500},
                           {.puts = 9, .words = 30'000, .rounds = 40, .blocks = 3, .copies_of_each = 3, .ring = 2},
                           {.puts = 2, .words = 0, .rounds = 50, .first = 0xffff'fff0, .copies_of_each = 1}};
  std::uint32_t wrong = 0;
  for (PutPlan plan : plans)
    for (const PutsStartedBy starter : {PutsStartedBy::automatic, PutsStartedBy::host}) {
      plan.started_by = starter;
      const std::uint32_t of_plan = co_await kaon::testing::exchange_puts(nodes, last, plan);
      std::printf("%u puts of %u words, %u rounds, started by %s: %u wrong\n", plan.puts, plan.words, plan.rounds,
                  starter == PutsStartedBy::host ? "the host" : "the device or the host", of_plan);
      wrong += of_plan;
    }
  co_return wrong;
}

// Of CUDA, the 33rd prepared copy of a device waits for all kernels that run on it, if there was no room made before,
// and so does the end of a copy.
kaon::Task<std::uint32_t> exchange_beside_another_list(kaon::Runtime& runtime, kaon::Group<PutNode> nodes, int last) {
  constexpr int kLists = 20;
  const PutPlan plan{.puts = 8, .rounds = 5, .started_by = PutsStartedBy::device};
  const auto served = co_await runtime.create_group<PutNode>();
  co_await kaon::testing::connect_puts(served, last, plan);
  std::uint32_t wrong = 0;
  for (int i = 0; i < kLists; ++i) {
    const std::uint32_t of_list = co_await kaon::testing::exchange_puts(nodes, last, plan);
    wrong += of_list;
  }
  const std::uint32_t of_served = co_await kaon::testing::send_puts(served, last);
  std::printf("%d lists beside another one: %u wrong\n", kLists, wrong + of_served);
  co_return wrong + of_served;
}

kaon::Task<int> exchange(kaon::Runtime& runtime, std::vector<std::string>) {
  const auto nodes = co_await runtime.create_group<PutNode>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  if (last == 0) throw kaon::UsageError("this program takes two PEs: --pes 2, or kaonrun -n 2");
  const std::uint32_t by_plans = co_await exchange_by_plans(nodes, last);
  const std::uint32_t beside = co_await exchange_beside_another_list(runtime, nodes, last);
  co_return by_plans + beside == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, exchange, kaon::with_devices); }
