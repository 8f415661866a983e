// SPDX-License-Identifier: Apache-2.0
// Entries of each PE's device send to those of the next one's, without the host. The exit code says whether all came.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/station_node.hpp"

namespace {

kaon::Task<int> visit(kaon::Runtime& runtime, std::vector<std::string>) {
  const bool is_right = co_await kaon::testing::visit_stations(runtime, 1, 256);
  const bool are_gangs_right = co_await kaon::testing::visit_stations(runtime, 2, 16);
  std::printf("stations: %s, of gangs: %s\n", is_right ? "right" : "wrong", are_gangs_right ? "right" : "wrong");
  co_return is_right&& are_gangs_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, visit, kaon::with_devices); }
