// SPDX-License-Identifier: Apache-2.0
// Starts the processes of one run on this machine, and sees to it that they end together.
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "runtime/error.hpp"
#include "runtime/launch/launcher.hpp"

namespace {

constexpr int kMaxProcesses = 4096;

struct Options {
  int processes = 0;
  double start_s = 60;
  double peer_s = 20;
  std::vector<std::string> command;
};

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
}

void describe(CLI::App& app, Options& options) {
  app.prefix_command();
  app.add_option("-n,--processes", options.processes, "processes to start on this machine")
      ->required()
      ->check(CLI::Range(1, kMaxProcesses));
  app.add_option("--timeout-start", options.start_s, "seconds that the first process waits for the last")
      ->check(CLI::Range(0.1, 1e6))
      ->capture_default_str();
  app.add_option("--peer-timeout", options.peer_s, "seconds without a sign of life that end the run")
      ->envname("KAON_PEER_TIMEOUT")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  app.footer("The run ends when all processes have; when one fails, all others are ended and its exit code is ours.");
}

std::vector<std::string> command_of(const CLI::App& app) {
  std::vector<std::string> command = app.remaining();
  if (!command.empty() && command.front() == "--") command.erase(command.begin());
  if (command.empty()) throw kaon::UsageError("which program? kaonrun -n Q PROGRAM [its arguments]");
  if (command.front().starts_with("-"))
    throw kaon::UsageError("unknown option " + command.front() + "; kaonrun --help lists them");
  return command;
}

int launch(const Options& options) {
  kaon::Limits limits;
  limits.start = milliseconds(options.start_s);
  limits.peer = milliseconds(options.peer_s);
  return kaon::Launcher(options.processes, limits, options.command).run();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("kaonrun -n Q [options] PROGRAM [its arguments]\nStarts Q processes of a Kaon program on this machine.",
               "kaonrun");
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
    options.command = command_of(app);
    return launch(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kaon::kExitUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kaonrun: %s\n", error.what());
    return kaon::exit_code(error);
  }
}
