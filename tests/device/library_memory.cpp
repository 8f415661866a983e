// SPDX-License-Identifier: Apache-2.0
// For library_memory.py, which loads it: two processes send each other device memory that a library of Python's took.
#include <cstddef>
#include <cstdio>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

namespace library_memory {

struct Range {
  void* data = nullptr;
  std::size_t bytes = 0;
};
Range source, destination;  // of this process
unsigned long long* counts;

class Node : public kaon::Chare<Node> {
 public:
  kaon::Task<> send(kaon::Element<Node> partner) {
    kaon::Payload<std::byte> payload(source_.part<std::byte>(0, source.bytes), stream_);
    kaon::Sent sent(payload);
    partner.send<&Node::take>(std::move(payload));
    co_await sent;
  }
  kaon::Task<> take(kaon::Payload<std::byte> values) {
    (void)values.view(stream_);
    co_await stream_.drained();
  }
  kaon::Landing post(kaon::PostFor<&Node::take>, const kaon::Payload<std::byte>& values) {
    return kaon::Landing::into(destination_.span<std::byte>(0, values.size()), stream_);
  }

 private:
  kaon::gpu::Stream stream_;
  kaon::gpu::Registration source_{source.data, source.bytes};
  kaon::gpu::Registration destination_{destination.data, destination.bytes};
};

kaon::Task<int> exchange(kaon::Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2);
  for (int i = 0; i < 2; ++i) nodes[i].send<&Node::send>(nodes[1 - i]);
  co_await runtime.quiescence();
  const kaon::runtime::TransferReport report = co_await runtime.transfers();
  counts[0] = report[kaon::runtime::Route::direct].payloads;
  counts[1] = report.staged();
  co_return 0;
}

}  // namespace library_memory

/// Sends `bytes` bytes from `from` to the partner's `to`, on the device that both lie on. On the first process counts
/// become how many payloads went directly and how many through the host. Returns run()'s code.
extern "C" int kaon_exchange(int argc, char** argv, void* from, void* to, std::size_t bytes,
                             unsigned long long* counts) {
  library_memory::source = {from, bytes};
  library_memory::destination = {to, bytes};
  library_memory::counts = counts;
  return kaon::run(argc, argv, library_memory::exchange, kaon::with_devices);
}
