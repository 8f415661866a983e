// SPDX-License-Identifier: Apache-2.0
// Starts the processes of one run on this machine, and sees to it that they end together.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "kaon/runtime/base/descriptors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/granted_memory.hpp"
#include "kaon/runtime/base/hints.hpp"
#include "kaon/runtime/base/number_between.hpp"
#include "kaon/runtime/base/wrong_variables.hpp"
#include "kaon/runtime/launch/launcher.hpp"

namespace {

using kaon::runtime::number_between;

constexpr int kMaxProcesses = 4096;

struct Options {
  int processes = 0;
  double start_s = 60;
  double peer_s = 20;
  bool has_labels = false;
  std::vector<std::string> command;
};

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
}

// CLI11's own page is about its types; this one is about ours.
constexpr const char* kHelp =
    R"(kaonrun -n Q [options] PROGRAM [its arguments]

Starts Q processes of a Kaon program on this machine, watches them and ends them together.
  -n, --processes Q     how many (needed)
  --timeout-start S     seconds that the first process waits for the last to join (60)
  --peer-timeout S      seconds without a sign of life that end the run (20; 0: never; environment:
                        KAON_PEER_TIMEOUT). A process that a debugger holds is waited for anyway
  --label               begin each line of output with [the number of its process]
  --version             which Kaon it is of
  -h, --help            this text

Output and errors of all go where kaonrun's go, in whole lines (in pieces beyond 1 MiB each); standard
input goes to process 0.
SIGINT (ctrl-C) and SIGTERM end all processes, whose output still comes; a second one, from 0.3 s later on, kills them.
SIGTSTP (ctrl-Z) stops them all until kaonrun is continued. SIGUSR1 is passed on, and the run prints who waits
for what.

Exit codes:
  0         all processes have ended with 0
  1 to 127  the code of the process that failed first, which is named; the others were ended. Kaon itself
            gives 1 (an exception, or output that could not be written), 2 (the program or its command line
            is wrong), 3 (a process was lost or never joined), 4 (memory), 5 (a deadlock: see docs/debugging.md)
  128 + N   signal N ended a process first, or, by which kaonrun then ends itself, the run: 130 after ctrl-C, as a
            shell tells it; 141 when nobody reads the output
)";

void describe(CLI::App& app, Options& options) {
  app.prefix_command();
  app.set_help_flag();
  app.add_flag_callback("-h,--help", [] { throw CLI::CallForHelp(); });
  app.add_flag_callback("--version", [] { throw CLI::CallForVersion("kaonrun of Kaon " KAON_VERSION, 0); });
  app.add_option("-n,--processes", options.processes, "how many")->required()->check(CLI::Range(1, kMaxProcesses));
  app.add_option("--timeout-start", options.start_s, "seconds until the last has to join")
      ->check(number_between(0.1, 1e6));
  app.add_option("--peer-timeout", options.peer_s, "seconds without a sign of life")
      ->envname("KAON_PEER_TIMEOUT")
      ->check(number_between(1, 1e6) | CLI::IsMember({"0"}));
  app.add_flag("--label", options.has_labels, "begin each line of output with the number of its process");
}

void refuse_option_of_charm(const std::string& word) {
  if (const std::string hint = kaon::runtime::hint_at_option_of_charm(word); !hint.empty())
    throw kaon::runtime::UsageError(hint);
}

std::vector<std::string> command_of(const CLI::App& app) {
  std::vector<std::string> command = app.remaining();
  if (!command.empty() && command.front() == "--") command.erase(command.begin());
  if (command.empty()) throw kaon::runtime::UsageError("which program? kaonrun -n Q PROGRAM [its arguments]");
  refuse_option_of_charm(command.front());
  if (!command.front().starts_with("-")) return command;
  std::string hint = kaon::runtime::hint_at_removed(command.front());
  if (hint.empty()) hint = kaon::runtime::hint_at_program(command.front());
  throw kaon::runtime::UsageError(hint.empty() ? "unknown option " + command.front() + "; kaonrun --help lists them"
                                               : hint);
}

/// mpirun's name for it, which CLI11 would take for -n p. What follows the program is not looked at.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "-np") words.front() = "-n";
  return {words.rbegin(), words.rend()};  // as CLI11 takes them
}

int launch(const Options& options) {
  kaon::launch::Limits limits;
  limits.start = milliseconds(options.start_s);
  limits.peer = milliseconds(options.peer_s);
  // What it has made is gone before the end by a signal.
  const auto status = kaon::launch::Launcher({options.processes, options.command, options.has_labels}, limits).run();
  return kaon::launch::end_so(status);
}

}  // namespace

int main(int argc, char** argv) {
  kaon::runtime::keep_standard_streams();
  CLI::App app("", "kaonrun");
  Options options;
  try {
    kaon::runtime::require_stack();
    describe(app, options);
    if (argc > 1) refuse_option_of_charm(argv[1]);
    app.parse(words_of(argc, argv));
    kaon::runtime::refuse_wrong_variables(app);
    options.command = command_of(app);
    return launch(options);
  } catch (const CLI::CallForHelp&) {
    std::fputs(kHelp, stdout);
    return 0;
  } catch (const CLI::CallForVersion& text) {
    std::printf("%s\n", text.what());
    return 0;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "kaonrun: %s; kaonrun --help explains the options\n",
                 kaon::runtime::text_of(error, app, words_of(argc, argv)).c_str());
    return kaon::runtime::kExitUsage;
  } catch (const std::exception& error) {
    // fprintf would need 8 KiB of a stack that may be all too small
    std::fputs(("kaonrun: " + kaon::runtime::error_text(error) + "\n").c_str(), stderr);
    return kaon::runtime::exit_code(error);
  }
}
