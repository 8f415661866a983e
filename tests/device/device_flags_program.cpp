// SPDX-License-Identifier: Apache-2.0
// Streams that wait for flags, and work that must not stand behind them: flag_waiters.hpp. The argument says which.
#include <string>
#include <vector>

#include "tests/device/flag_waiters.hpp"

namespace {

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string& kind = arguments.at(0);
  if (kind == "let-go") co_await kaon::testing::waiters::let_go_while_waiting(runtime);
  if (kind == "send") co_await kaon::testing::waiters::send_a_late_and_a_ready_one(runtime);
  if (kind == "hand-over") co_await kaon::testing::waiters::hand_over_a_late_and_a_ready_one(runtime);
  if (kind == "send-on") co_await kaon::testing::waiters::send_on_what_a_late_stream_reads(runtime);
  if (kind == "free") co_await kaon::testing::waiters::free_what_has_landed(runtime);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, run, kaon::with_devices); }
