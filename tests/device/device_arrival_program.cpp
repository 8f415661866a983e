// SPDX-License-Identifier: Apache-2.0
// Payloads raise flags, for which entries of a device, tasks and streams wait. The exit code says whether all came.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/arrival_node.hpp"

namespace {

kaon::Task<int> receive(kaon::Runtime& runtime, std::vector<std::string>) {
  const std::uint32_t by_entries = co_await kaon::testing::arrival::add_rounds(runtime);
  const double by_others = co_await kaon::testing::arrival::wait_for_payloads(runtime);
  std::printf("arrivals: %u wrong for entries, %g for others\n", by_entries, by_others);
  co_return by_entries == 0 && by_others == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, receive, kaon::with_devices); }
