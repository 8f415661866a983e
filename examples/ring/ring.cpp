// SPDX-License-Identifier: Apache-2.0
// A token runs round a ring of chares, one on each PE, and counts its steps.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include <kaon/kaon.hpp>

struct Arrived {
  int steps;
};

class Station : public kaon::Chare<Station> {
 public:
  kaon::Inbox<Arrived> finished;  // used on the first station

  void pass(int steps, int left) {
    if (left == 0) return array()[0].send<&Station::finished>(steps);
    array()[(index().x + 1) % array().shape().x].send<&Station::pass>(steps + 1, left - 1);
  }

  kaon::Task<int> run(int steps) {
    self().send<&Station::pass>(0, steps);
    const Arrived arrived = co_await finished.next();
    co_return arrived.steps;
  }
};

kaon::Task<int> ring(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int steps = 100000;
  CLI::App app("A token runs round the PEs.");
  app.add_option("--steps", steps, "how often it is passed on")->check(CLI::Range(1, 1 << 30))->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;

  auto stations = co_await runtime.create<Station>(static_cast<int>(runtime.pes()));
  const auto start = std::chrono::steady_clock::now();
  const int done = co_await stations[0].call<&Station::run>(steps);
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  std::printf("%d steps over %u PEs, %.3f us each\n", done, runtime.pes(), time.count() / done);
  co_return done == steps ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, ring); }
