// SPDX-License-Identifier: Apache-2.0
// Unbalanced trees, counted by entries of a GPU each of which makes others. The host of each PE sends the root of one
// and waits for quiescence, which knows of what the device does. PEs of a process that have one GPU share a kernel
// there.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "device_tree.kernels.hpp"

constexpr unsigned kWorkers = 32;

using Counters = kaon::gpu::Resident<TreeEntries>;
using Handle = kaon::gpu::DeviceObject<Counter>;

class Grove : public kaon::Chare<Grove> {
 public:
  /// Makes the counters of its tree.
  kaon::Task<> plant() {
    kaon::gpu::Stream stream;
    kaon::gpu::Buffer<Handle> all(kWorkers, stream);
    kaon::gpu::Pinned<Handle> handles(kWorkers, stream);
    for (unsigned i = 0; i < kWorkers; ++i)
      objects_.push_back(co_await counters_->make(Counter{0, all.data(), kWorkers}));
    for (unsigned i = 0; i < kWorkers; ++i) handles[i] = objects_[i];
    stream.copy(all.span(), handles);
    co_await stream.drained();
    counters_->keep(std::move(all));
  }
  void count() { counters_->send(objects_[0], Visit{{root(), 0}}); }
  kaon::Task<std::uint64_t> nodes() {
    std::uint64_t nodes = 0;
    for (const auto& object : objects_) nodes += co_await counters_->call(object, Take{});
    co_return nodes;
  }

 private:
  std::uint64_t root() const { return 1 + static_cast<std::uint64_t>(index().x); }
  std::shared_ptr<Counters> counters_ = Counters::shared_by_process({.workers = kWorkers, .threads = 32});
  std::vector<Handle> objects_;
};

std::uint64_t count_here(const Node& root) {
  std::vector<Node> waiting{root};
  std::uint64_t nodes = 0;
  while (!waiting.empty()) {
    const Node node = waiting.back();
    waiting.pop_back();
    ++nodes;
    for (std::uint32_t i = 0; i < node.children(); ++i) waiting.push_back(node.child(i));
  }
  return nodes;
}

kaon::Task<int> device_tree(kaon::Runtime& runtime) {
  const auto groves = co_await runtime.create_group<Grove>();
  const int pes = static_cast<int>(runtime.pes());
  for (int i = 0; i < pes; ++i) co_await groves[i].call<&Grove::plant>();
  groves.broadcast<&Grove::count>();
  co_await runtime.quiescence();
  std::uint64_t nodes = 0, expected = 0;
  for (int i = 0; i < pes; ++i) nodes += co_await groves[i].call<&Grove::nodes>();
  for (int i = 0; i < pes; ++i) expected += count_here({1 + static_cast<std::uint64_t>(i), 0});
  std::printf("%llu nodes\n", static_cast<unsigned long long>(nodes));
  co_return nodes == expected ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, device_tree, kaon::with_devices); }
