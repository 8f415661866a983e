// SPDX-License-Identifier: Apache-2.0
// threads: kernels that post requests, and resident blocks that execute them
// Queue pairs between two devices, two processes, and on one device.
#include "kaon/gpu/queues/queue_pair.hpp"

#include <optional>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/queues/queue_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace queues {

QueuePlan plan;
PostOutcome outcome;

Task<> exchange(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<QueueNode>();
  outcome = co_await exchange_requests(nodes, static_cast<int>(runtime.pes()) - 1, plan);
  CHECK(outcome.failures == 0);
  CHECK(outcome.status == 0);
}

Task<> talk(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<QueueNode>();
  const std::uint32_t wrong = co_await converse(nodes, static_cast<int>(runtime.pes()) - 1, plan);
  CHECK(wrong == 0);
}

/// The same in parts, as a scene bounds the steps of a task.
std::optional<Group<QueueNode>> nodes;
Task<> begin(Runtime& runtime) {
  nodes = co_await runtime.create_group<QueueNode>();
  co_await connect_nodes(*nodes, 0, plan);
}
Task<> post_part(Runtime&) {
  outcome = co_await (*nodes)[0].call<&QueueNode::post>();
  CHECK(outcome.failures == 0);
}
Task<> end(Runtime&) {
  const std::uint32_t wrong = co_await (*nodes)[0].call<&QueueNode::wrong_in_ring>(outcome.posted);
  CHECK(wrong == 0);
  co_await close_nodes(*nodes, 0);
}

}  // namespace queues

namespace {

#if defined(__SANITIZE_ADDRESS__) || KAON_SANITIZES_THREADS
constexpr std::uint32_t kMany = 10'000;
constexpr std::uint64_t kSeeds = 2;
#else
constexpr std::uint32_t kMany = 1'000'000;
constexpr std::uint64_t kSeeds = 4;
#endif

constexpr gpu::AdapterKind kBoth[] = {gpu::AdapterKind::blocks, gpu::AdapterKind::progress};

DeviceSceneSettings settings_of(Network::Shape shape, std::uint64_t seed) {
  DeviceSceneSettings settings;
  settings.shape = shape;
  settings.devices = shape.pes_per_process;
  settings.seed = seed;
  return settings;
}

/// One device, two devices of one process, and two processes. ThreadSanitizer takes a flag in the mapping of another
/// process for another word.
std::vector<Network::Shape> shapes() {
#if KAON_SANITIZES_THREADS
  return {{1, 1}, {1, 2}};
#else
  return {{1, 1}, {1, 2}, {2, 1}};
#endif
}

void run_with_seeds(const QueuePlan& plan, Scene::MainTask task, const std::vector<Network::Shape>& shapes) {
  queues::plan = plan;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const Network::Shape& shape : shapes) {
      INFO("seed " << seed << ", " << shape.processes << " processes, " << shape.pes_per_process << " PEs each");
      DeviceScene scene(settings_of(shape, seed));
      scene.run(task);
      const std::uint32_t requests = plan.is_through_ring ? plan.rounds : plan.requests(true);
      CHECK(queues::outcome.posted == requests);
      CHECK(queues::outcome.completed == requests);
    }
}

/// Once with each adapter.
void exchange_by(QueuePlan plan, const std::vector<Network::Shape>& shapes) {
  for (const gpu::AdapterKind kind : kBoth) {
    INFO("adapter " << static_cast<int>(kind));
    plan.kind = kind;
    run_with_seeds(plan, queues::exchange, shapes);
  }
}

/// Of one thread, with the first adapter.
PostOutcome outcome_of(const QueuePlan& plan) {
  run_with_seeds(plan, queues::exchange, {{1, 1}});
  return queues::outcome;
}

}  // namespace

TEST_CASE("a thread writes into the memory of another PE by requests", "[queues]") { exchange_by({}, shapes()); }

TEST_CASE("a thread reads the memory of another PE by requests", "[queues]") {
  exchange_by({.opcode = gpu::Opcode::read}, shapes());
}

TEST_CASE("each thread, warp or block posts to a queue of its own", "[queues]") {
  for (const Sharing sharing : {Sharing::thread, Sharing::warp, Sharing::block}) {
    INFO("sharing " << static_cast<int>(sharing));
    exchange_by({.sharing = sharing, .queues = 3, .ring_every = 3}, {{1, 2}});
  }
}

TEST_CASE("all threads of a grid post to one queue, alone and as blocks", "[queues]") {
  for (const std::uint32_t ring_every : {1U, 7U, gpu::SendQueue::kAtFull}) {
    INFO("doorbell every " << ring_every);
    exchange_by({.sharing = Sharing::grid, .depth = 16, .ring_every = ring_every}, {{1, 2}});
  }
}

TEST_CASE("several resident blocks serve several queues", "[queues]") {
  QueuePlan plan{.sharing = Sharing::block, .queues = 5, .rounds = 30, .blocks = 3};
  run_with_seeds(plan, queues::exchange, {{1, 2}});
}

TEST_CASE("requests go through a queue of 1,024 again and again", "[queues]") {
  constexpr std::uint32_t kPart = 10'000;
  queues::plan = {.depth = 1024, .ring_every = 32, .rounds = kPart, .is_through_ring = true};
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.run(queues::begin);
  for (std::uint32_t i = 0; i < kMany / kPart; ++i) scene.run(queues::post_part);
  CHECK(queues::outcome.posted == kMany);
  CHECK(queues::outcome.completed == kMany);
  scene.run(queues::end);
}

TEST_CASE("a small queue wraps around many laps", "[queues]") {
  for (const std::uint32_t ring_every : {1U, 3U, gpu::SendQueue::kAtFull}) {
    INFO("doorbell every " << ring_every);
    exchange_by({.depth = 4, .ring_every = ring_every, .rounds = 301, .is_through_ring = true}, {{1, 2}});
  }
  exchange_by({.depth = 1, .rounds = 50, .is_through_ring = true}, {{1, 1}});
}

TEST_CASE("the doorbell rings as often as the policy says", "[queues]") {
  QueuePlan plan{.depth = 64, .ring_every = 1, .rounds = 60};
  CHECK(outcome_of(plan).rings == 60);
  plan.ring_every = 8;
  CHECK(outcome_of(plan).rings == 8);  // 7 of 8 requests, and one of the rest
  plan.ring_every = gpu::SendQueue::kAtFull;
  CHECK(outcome_of(plan).rings == 1);
  plan.rounds = 64;
  CHECK(outcome_of(plan).rings == 1);
  plan.ring_every = 8;
  CHECK(outcome_of(plan).rings == 8);  // nothing is left for the flush
  plan.ring_every = 1;
  plan.sharing = Sharing::grid;
  plan.rounds = 4;  // 2 by each of 15 threads, 2 by each of 3 blocks
  CHECK(outcome_of(plan).rings == 36);
}

TEST_CASE("a completion entry stands for a batch of requests", "[queues]") {
  QueuePlan plan{.depth = 64, .ring_every = gpu::SendQueue::kAtFull, .rounds = 64};
  CHECK(outcome_of(plan).entries == 1);
  plan.kind = gpu::AdapterKind::progress;
  CHECK(outcome_of(plan).entries == 1);
}

TEST_CASE("prefilled requests need their offsets alone", "[queues]") {
  exchange_by({.depth = 4, .rounds = 50, .stored = gpu::StoredFields::offsets}, {{1, 2}});
  exchange_by({.sharing = Sharing::grid, .depth = 16, .ring_every = 5, .stored = gpu::StoredFields::offsets}, {{1, 2}});
}

TEST_CASE("a queue pair tells its memory", "[queues]") {
  QueuePlan plan{.depth = 64};
  CHECK(outcome_of(plan).device_bytes == 64 * 80 + 128 + 6 * 128);
  CHECK(queues::outcome.pinned_bytes == 0);
  plan.kind = gpu::AdapterKind::progress;
  CHECK(outcome_of(plan).device_bytes == 6 * 128);
  CHECK(queues::outcome.pinned_bytes == 64 * 80 + 128);
}

TEST_CASE("a kernel that runs sees data behind the notice of a put, and answers", "[queues]") {
  queues::plan = {.rounds = 40};
  for (const gpu::AdapterKind kind : kBoth)
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
      for (const Network::Shape& shape : shapes()) {
        if (shape.processes * shape.pes_per_process == 1) continue;
        INFO("seed " << seed << ", " << shape.processes << " processes, adapter " << static_cast<int>(kind));
        queues::plan.kind = kind;
        DeviceScene(settings_of(shape, seed)).run(queues::talk);
      }
}

}  // namespace kaon::testing
