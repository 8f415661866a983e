// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/tools/ampirun/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "kaon/ampi_shim/tools/ampirun/other_launchers.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/wrong_variables.hpp"

namespace kaon::ampi {
namespace {

using runtime::UsageError;

constexpr int kMostProcesses = 4096;
constexpr int kMostRanks = 1 << 24;

constexpr const char* kHelp =
    R"(ampirun -n RANKS [options] PROGRAM [its arguments]

Runs an MPI program, linked with libmpi_abi, as so many ranks: many of them in each process and on each core.
  -n, --ranks N         how many (1)
  --processes Q         processes that the ranks are dealt to, on this machine (1)
  --ranks-per-process K in place of --processes: as many as leave each no more than K ranks. 1: as other MPIs do it, for
                        programs whose libraries, such as Python's, are the state of one rank
  --pes P               PEs (threads, one for each core) in each process; default: the cores it may use, and no more
                        than it has ranks
  --stack-size SIZE     of each rank, as 512K, 8M or 1G (8M); memory is taken as it is used
  --share-globals       all ranks of a process have the program's global variables together: for programs that never
                        change any
  --label               begin each line of output with [the number of its rank]
  --timeout-start S     seconds that the first process waits for the last to join (60)
  --peer-timeout S      seconds without a sign of life of a process that end the run (20; 0: never)
  -h, --help            this text
  -V, --version         of this program
  --deadlock-s S        seconds until a run whose ranks all wait, for what cannot come, is ended (0.75; 0: never)
Other options of Kaon's, such as --spin-us, come before PROGRAM, too; each is a variable of the environment as well.
--oversubscribe and --allow-run-as-root, for scripts of Open MPI, change nothing: ampirun always allows both.

Output comes by whole lines. Standard input goes to rank 0. Ranks have the environment of ampirun.

Exit codes: that of MPI_Abort, or of the first rank that ends with another one than 0; 1 (a rank ended without
MPI_Finalize, or something else went wrong), 2 (the command line or the program cannot be used), 3 (a process was lost),
4 (memory), 5 (all ranks wait, and for nothing that could come: a deadlock); 128 + N after signal N.
)";

/// Ours that take a value.
constexpr std::array kValued = {
    "-n", "--ranks", "-np", "--processes", "--stack-size", "--timeout-start", "--peer-timeout", "--ranks-per-process"};
constexpr std::array kFlags = {"--share-globals", "--label", "-h", "--help", "-V", "--version"};

bool is_one_of(const auto& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One dash and a word: CLI11 would take its first letter for an option of ours.
void refuse_word_behind_dash(const std::string& argument) {
  constexpr std::size_t kDashAndLetter = 2;
  if (argument.starts_with("--") || argument.size() <= kDashAndLetter || argument == "-np") return;
  const bool is_number_of_ranks =
      argument.starts_with("-n") && argument.find_first_not_of("0123456789", 2) == argument.npos;
  if (is_number_of_ranks) return;
  throw UsageError(argument + " is no option of ampirun; ampirun --help explains the options");
}

/// Options of Charm++'s AMPI, where a program's name is looked for.
void refuse_charm_option(const std::string& argument) {
  const bool is_ranks = argument.starts_with("+vp");
  const bool is_pes = !is_ranks && (argument.starts_with("+p") || argument.starts_with("++ppn"));
  throw UsageError(argument + " is an option of Charm++, not of ampirun" +
                   (is_ranks ? ": -n 4 runs four ranks"
                    : is_pes ? ": --processes 2 --pes 4 gives each of two processes four threads"
                             : "; ampirun --help explains the options"));
}

/// Of an option of the runtime: alone it is refused.
bool takes_value(const std::string& name) {
  const std::array<const char*, 2> line{"ampirun", name.c_str()};
  try {
    runtime::parse_command_line(static_cast<int>(line.size()), line.data());
    return false;
  } catch (const UsageError&) {
    return true;
  }
}

/// The command line in three: our options, the runtime's, and the program with its arguments.
struct Parts {
  std::vector<std::string> ours, runtimes{"ampirun"}, program;
  bool program_is_marked = false;  // by --
};

Parts parts_of(const std::vector<std::string>& arguments) {
  Parts parts;
  auto at = arguments.begin();
  for (; at != arguments.end() && at->starts_with("-"); ++at) {
    if (*at == "--") {
      parts.program_is_marked = true;
      ++at;
      break;
    }
    if (is_always_satisfied(*at)) continue;
    refuse_option_of_other_launcher(*at);
    refuse_word_behind_dash(*at);
    const std::string name = at->substr(0, at->find('='));
    const bool is_runtimes =
        name.starts_with("--") && !is_one_of(kValued, name) && !is_one_of(kFlags, name) && runtime::is_option(name);
    std::vector<std::string>& part = is_runtimes ? parts.runtimes : parts.ours;
    part.push_back(*at);
    const bool is_whole = name.size() != at->size();
    const bool needs_value = is_runtimes ? !is_whole && takes_value(name) : is_one_of(kValued, *at);
    if (needs_value && at + 1 != arguments.end()) part.push_back(*++at);
  }
  parts.program.assign(at, arguments.end());
  if (!parts.program_is_marked && !parts.program.empty() && parts.program.front().starts_with("+"))
    refuse_charm_option(parts.program.front());
  return parts;
}

void declare(CLI::App& app, Command& command) {
  app.set_help_flag();
  app.add_flag("-h,--help", command.wants_help, "");
  app.add_flag("-V,--version", command.wants_version, "");
  app.add_option("-n,--ranks,--np", command.ranks, "")->check(CLI::Range(1, kMostRanks));
  auto* const processes = app.add_option("--processes", command.processes, "")->check(CLI::Range(1, kMostProcesses));
  app.add_option("--ranks-per-process", command.ranks_per_process, "")
      ->check(CLI::Range(1, kMostRanks))
      ->excludes(processes);
  app.add_option("--stack-size", command.stack_bytes, "")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::size_t{16} << 10, std::size_t{1} << 40));
  app.add_flag("--share-globals", command.shares_globals, "");
  app.add_flag("--label", command.has_labels, "");
  app.add_option("--timeout-start", command.start_s, "")->check(CLI::Range(0.1, 1e6));
  app.add_option("--peer-timeout", command.peer_s, "")
      ->envname("KAON_PEER_TIMEOUT")
      ->check(CLI::Range(1.0, 1e6) | CLI::IsMember({"0"}));
}

void parse_ours(std::vector<std::string> arguments, Command& command) {
  CLI::App app("", "ampirun");
  declare(app, command);
  std::replace(arguments.begin(), arguments.end(), std::string("-np"), std::string("--np"));
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
    runtime::refuse_wrong_variables(app);
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; ampirun --help explains the options");
  }
}

/// One PE in each, unless another number is given: more would deal the ranks unevenly.
void set_processes(Command& command) {
  command.processes = (command.ranks + command.ranks_per_process - 1) / command.ranks_per_process;
  if (command.processes > kMostProcesses)
    throw UsageError("--ranks-per-process " + std::to_string(command.ranks_per_process) + " would make " +
                     std::to_string(command.processes) + " processes, and " + std::to_string(kMostProcesses) +
                     " is the most: give each more ranks");
  if (command.runtime.pes == 0) command.runtime.pes = 1;
}

}  // namespace

std::string help_text() { return kHelp; }

Command parse_command(int argc, const char* const* argv) {
  Command command;
  Parts parts = parts_of(std::vector<std::string>(argv + 1, argv + argc));
  parse_ours(std::move(parts.ours), command);
  if (command.wants_help || command.wants_version) return command;
  std::vector<const char*> line;
  for (const std::string& argument : parts.runtimes) line.push_back(argument.c_str());
  command.runtime = runtime::parse_command_line(static_cast<int>(line.size()), line.data()).options;
  command.program = std::move(parts.program);
  if (command.program.empty()) throw UsageError("which program? ampirun -n RANKS PROGRAM [its arguments]");
  if (std::ranges::find(command.program, ":") != command.program.end() && !parts.program_is_marked)
    throw UsageError(
        "\":\" would begin another program of the run, and a run here has one: let it do what its rank says. If "
        "\":\" is an argument of the program, write -- before the program");
  if (command.ranks_per_process > 0) set_processes(command);
  if (command.processes > command.ranks)
    throw UsageError("--processes " + std::to_string(command.processes) + " is more than the " +
                     std::to_string(command.ranks) + " ranks: give each process at least one");
  return command;
}

}  // namespace kaon::ampi
