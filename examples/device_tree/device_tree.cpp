// SPDX-License-Identifier: Apache-2.0
// An unbalanced tree, counted by entries of a GPU each of which makes others. The host sends the root and waits for
// quiescence, which knows of what the device does.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "device_tree.kernels.hpp"

constexpr unsigned kWorkers = 32;

class Grove : public kaon::Chare<Grove> {
 public:
  kaon::Task<> plant() {
    std::vector<kaon::gpu::DeviceObject<Counter>> made;
    for (unsigned i = 0; i < kWorkers; ++i) made.push_back(co_await counters_.make(Counter{0, all_.data(), kWorkers}));
    kaon::gpu::Pinned<kaon::gpu::DeviceObject<Counter>> handles(kWorkers, stream_);
    for (unsigned i = 0; i < kWorkers; ++i) handles[i] = made[i];
    stream_.copy(all_.span(), handles);
    co_await stream_.drained();
    objects_ = made;
  }
  void count() { counters_.send(objects_[0], Visit{{1, 0}}); }
  kaon::Task<std::uint64_t> nodes() {
    std::uint64_t nodes = 0;
    for (const auto& object : objects_) nodes += co_await counters_.call(object, Take{});
    co_return nodes;
  }

 private:
  kaon::gpu::Resident<TreeEntries> counters_{{.workers = kWorkers, .threads = 32}};
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<kaon::gpu::DeviceObject<Counter>> all_{kWorkers, stream_};
  std::vector<kaon::gpu::DeviceObject<Counter>> objects_;
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
  const auto grove = co_await runtime.create<Grove>(1);
  co_await grove[0].call<&Grove::plant>();
  grove[0].send<&Grove::count>();
  co_await runtime.quiescence();
  const std::uint64_t nodes = co_await grove[0].call<&Grove::nodes>();
  std::printf("%llu nodes\n", static_cast<unsigned long long>(nodes));
  co_return nodes == count_here({1, 0}) ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, device_tree, kaon::with_devices); }
