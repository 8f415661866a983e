// SPDX-License-Identifier: Apache-2.0
// All PEs wait, then end: what a program costs that has nothing to do.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include <kaon/kaon.hpp>

kaon::Task<int> idle(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  double seconds = 1;
  CLI::App app("All PEs wait, then end.");
  app.add_option("--seconds", seconds, "how long")->check(CLI::Range(0.0, 1e6))->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;

  co_await runtime.sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
  std::printf("%u PEs waited for %g s\n", runtime.pes(), seconds);
  co_return 0;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, idle); }
