// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "kaon/gpu/queues/queue_pair.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/queues/queues.kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

using gpu::Opcode;
using gpu::RequestStatus;
using gpu::WorkRequest;

inline gpu::AdapterKind pair_kind;

/// A queue pair of one device that is connected to itself, and memory for it.
struct OwnPair {
  explicit OwnPair(const gpu::QueuePairOptions& with = {.depth = 8, .keeps_errors = true}) : options(with) {
    pair.connect(pair.offer({in}));
    stream.fill(memory.span(), 0);
    stream.fill(statuses.span(), 0xff);
  }
  WorkRequest write(std::uint32_t bytes, std::uint64_t from = 0, std::uint64_t to = 0) const {
    WorkRequest request;
    request.opcode = Opcode::write;
    request.local = out;
    request.remote = pair.remote(0);
    request.bytes = bytes;
    request.local_offset = from;
    request.remote_offset = to;
    return request;
  }
  WorkRequest add(std::uint64_t operand, std::uint64_t result, std::uint64_t cell, std::uint32_t bytes = 8) const {
    WorkRequest request = write(bytes, result, cell);
    request.opcode = Opcode::fetch_add;
    request.operand = operand;
    return request;
  }
  void post(const std::vector<WorkRequest>& requests, bool waits = true,
            gpu::StoredFields stored = gpu::StoredFields::all) {
    PostAndWait kernel{};
    kernel.queue = pair.queue();
    kernel.count = static_cast<std::uint32_t>(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) kernel.requests[i] = requests[i];
    kernel.statuses = statuses.data();
    kernel.waits = waits;
    kernel.stored = stored;
    stream.launch({{1}, {1}}, kernel);
  }
  /// The statuses of posted requests, as the kernel has seen them.
  Task<std::vector<RequestStatus>> outcome(std::vector<WorkRequest> requests) {
    post(requests);
    gpu::Pinned<std::uint32_t> seen(statuses.size(), stream);
    stream.copy(seen, statuses.span());
    co_await stream.drained();
    std::vector<RequestStatus> found;
    for (std::size_t i = 0; i < requests.size(); ++i) found.push_back(static_cast<RequestStatus>(seen[i]));
    co_return found;
  }
  Task<std::vector<std::uint64_t>> words() {
    gpu::Pinned<std::uint64_t> seen(memory.size(), stream);
    stream.copy(seen, memory.span());
    co_await stream.drained();
    co_return std::vector<std::uint64_t>(seen.span().begin(), seen.span().end());
  }

  gpu::QueuePairOptions options;
  gpu::Stream stream;
  gpu::Buffer<std::uint64_t> memory{16, stream};
  std::optional<gpu::Buffer<std::uint64_t>> other{std::in_place, 16, stream};
  gpu::Buffer<std::uint32_t> statuses{PostAndWait::kMost, stream};
  std::shared_ptr<gpu::Adapter> adapter =
      gpu::Adapter::start({.kind = pair_kind, .sizes = {.queues = 4, .segments = 8, .threads = 32}});
  gpu::SegmentNumber in = adapter->add("in", memory);
  gpu::SegmentNumber out = adapter->add("out", *other);
  gpu::QueuePair pair{adapter, stream, options};
};

using Statuses = std::vector<RequestStatus>;

/// With both adapters, in several orders.
inline void run_with_both(Scene::MainTask task) {
  for (const gpu::AdapterKind kind : {gpu::AdapterKind::blocks, gpu::AdapterKind::progress})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      INFO("adapter " << static_cast<int>(kind) << ", seed " << seed);
      pair_kind = kind;
      DeviceSceneSettings settings;
      settings.shape = {1, 1};
      settings.seed = seed;
      DeviceScene(settings).run(task);
    }
}

}  // namespace kaon::testing
