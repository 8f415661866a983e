// SPDX-License-Identifier: Apache-2.0
// Each PE shares memory of its device, which kernels of the next one read and write, again and again. The exit code
// says whether all was right.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/segment_node.hpp"

namespace {

using kaon::testing::SegmentNode;

kaon::Task<int> share_all(kaon::Runtime& runtime, std::vector<std::string>) {
  constexpr int kRounds = 20;
  const auto nodes = co_await runtime.create_group<SegmentNode>();
  int good = 0;
  for (int round = 0; round < kRounds; ++round)
    good += co_await nodes.call_all<&SegmentNode::share>(kaon::sum, 100 * round);
  const int expected = kRounds * static_cast<int>(runtime.pes());
  std::printf("segments: %d of %d\n", good, expected);
  co_return good == expected ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, share_all, kaon::with_devices); }
