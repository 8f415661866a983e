// SPDX-License-Identifier: Apache-2.0
// Device memory between PEs: exchange, several, reuse or large. The exit code says whether all was right.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/traffic.hpp"

namespace {

using kaon::testing::DeviceNode;

kaon::Task<int> run_traffic(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string kind = arguments.at(0);
  const int count = 2 * static_cast<int>(runtime.pes());
  const auto nodes = co_await runtime.create<DeviceNode>(count);
  long came = 0, expected = 0;
  if (kind == "exchange") {
    constexpr int kSteps = 3 * 8;  // sizes 1, 8, 57, ... 960'800
    came = co_await nodes.call_all<&DeviceNode::exchange>(kaon::sum, 3, std::size_t{1'000'000});
    expected = (4 * kSteps - kSteps / 3) * count;
  } else if (kind == "several") {
    co_await nodes.call_all<&DeviceNode::send_several>(kaon::sum, 50, std::size_t{20'000});
    co_await runtime.quiescence();
    came = co_await nodes.call_all<&DeviceNode::good>(kaon::sum);
    expected = 4L * 50 * count;
  } else if (kind == "reuse") {
    came = co_await nodes.call_all<&DeviceNode::reuse>(kaon::sum, 20, std::size_t{100'000});
    expected = 20L * count;
  } else if (kind == "large") {
    came = co_await nodes.call_all<&DeviceNode::reuse>(kaon::sum, 1, (std::size_t{1} << 29) + 1000);
    expected = count;
  }
  std::printf("%s: %ld of %ld\n", kind.c_str(), came, expected);
  co_return came == expected ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, run_traffic, kaon::with_devices); }
