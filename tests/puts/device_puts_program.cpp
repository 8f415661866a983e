// SPDX-License-Identifier: Apache-2.0
// processes: 2 4
// Kernels of the first PE's device start puts into the memory of the last one's, which checks them. The exit code says
// whether all was right. On two GPUs: as one process with --pes 2, or two processes.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/puts/put_node.hpp"

namespace {

using kaon::testing::PutNode;
using kaon::testing::PutPlan;

kaon::Task<int> exchange(kaon::Runtime& runtime, std::vector<std::string>) {
  const PutPlan plans[] = {{.rounds = 500},
                           {.puts = 9, .words = 30'000, .rounds = 40, .blocks = 3, .copies_of_each = 3, .ring = 2},
                           {.puts = 2, .words = 0, .rounds = 50, .first = 0xffff'fff0, .copies_of_each = 1}};
  const auto nodes = co_await runtime.create_group<PutNode>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  if (last == 0) throw kaon::UsageError("this program takes two PEs: --pes 2, or kaonrun -n 2");
  std::uint32_t wrong = 0;
  for (PutPlan plan : plans)
    for (const auto starter : {kaon::gpu::PutsStartedBy::automatic, kaon::gpu::PutsStartedBy::host}) {
      plan.started_by = starter;
      const std::uint32_t of_plan = co_await kaon::testing::exchange_puts(nodes, last, plan);
      std::printf("%u puts of %u words, %u rounds, started by %s: %u wrong\n", plan.puts, plan.words, plan.rounds,
                  starter == kaon::gpu::PutsStartedBy::host ? "the host" : "the device or the host", of_plan);
      wrong += of_plan;
    }
  co_return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, exchange, kaon::with_devices); }
