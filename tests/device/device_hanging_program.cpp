// SPDX-License-Identifier: Apache-2.0
// Gives its device a kernel that never ends, and ends: `alone`, or when it `sends` a payload behind that kernel.
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/pattern_kernels.hpp"

namespace hanging_device {

class Victim : public kaon::Chare<Victim> {
 public:
  void spin(bool sends) {
    never_ = kaon::gpu::Buffer<unsigned>(1, stream_);
    stream_.fill(never_.span(), 0);
    stream_.launch({{1}, {1}}, kaon::testing::Spin{never_.data()});
    if (!sends) return;
    kaon::gpu::Buffer<int> values(100'000, stream_);
    const int next = (index().x + 1) % array().shape().x;
    array()[next].send<&Victim::take>(kaon::Payload<int>(std::move(values), stream_));
  }
  void take(kaon::Payload<int>) {}

 private:
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<unsigned> never_;
};

}  // namespace hanging_device

namespace {

using hanging_device::Victim;

kaon::Task<int> hang(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const auto victims = co_await runtime.create<Victim>(static_cast<int>(runtime.pes()));
  for (int i = 0; i < static_cast<int>(runtime.pes()); ++i)
    co_await victims[i].call<&Victim::spin>(arguments.front() == "sends");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, hang, kaon::with_devices); }
