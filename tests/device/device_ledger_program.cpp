// SPDX-License-Identifier: Apache-2.0
// PEs of a process share a resident scheduler, on threads of their own. The exit code says whether all came.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/ledger_node.hpp"

namespace {

kaon::Task<int> keep_ledgers(kaon::Runtime& runtime, std::vector<std::string>) {
  bool is_right = true;
  for (const std::uint32_t time : {0U, 1U, 2U, 3U}) {
    const double idle_us = time % 2 == 0 ? 0 : 1000;
    const std::string entered = co_await kaon::testing::ledger_node::enter_together(runtime, time / 2, idle_us, false);
    const std::string told = co_await kaon::testing::ledger_node::tell_each_other(runtime, time / 2, idle_us);
    is_right = is_right && entered.empty() && told.empty();
    std::printf("ledger: %s%s\n", entered.c_str(), told.c_str());
  }
  co_return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, keep_ledgers, kaon::with_devices); }
