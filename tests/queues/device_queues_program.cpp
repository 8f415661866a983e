// SPDX-License-Identifier: Apache-2.0
// processes: 2 4
// Kernels of the first PE's device post requests whose targets lie in the memory of the last one's, and both put words
// into each other's memory with notices. The exit code says whether all was right.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/queues/queue_node.hpp"

namespace {

using namespace kaon::testing;

kaon::Task<int> exchange(kaon::Runtime& runtime, std::vector<std::string>) {
  const auto nodes = co_await runtime.create_group<QueueNode>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  if (last == 0) throw kaon::UsageError("this program takes two PEs: --pes 2, or kaonrun -n 2");
  std::uint32_t wrong = 0;
  for (const kaon::gpu::AdapterKind kind : {kaon::gpu::AdapterKind::blocks, kaon::gpu::AdapterKind::progress}) {
    QueuePlan plan{.kind = kind, .queues = 2, .rounds = 500};
    const PostOutcome outcome = co_await exchange_requests(nodes, last, plan);
    wrong += outcome.failures;
    plan.queues = 1;
    plan.rounds = 200;
    const std::uint32_t of_words = co_await converse(nodes, last, plan);
    wrong += of_words;
    std::printf("adapter %d: %u posted, %u wrong, conversation %u wrong\n", static_cast<int>(kind), outcome.posted,
                outcome.failures, of_words);
  }
  co_return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, exchange, kaon::with_devices); }
