// SPDX-License-Identifier: Apache-2.0
// Starts, says one line and ends: for tests of how runs start and end.
#include <cstdio>

#include <kaon/kaon.hpp>

namespace {

kaon::Task<int> say_one_line(kaon::Runtime& runtime) {
  std::printf("%u PEs\n", static_cast<unsigned>(runtime.pes()));
  std::fflush(stdout);  // now: ./dev bench launchers measures when the first entry runs
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, say_one_line); }
