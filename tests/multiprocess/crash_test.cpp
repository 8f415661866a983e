// SPDX-License-Identifier: Apache-2.0
// A crash says which entry it was, as an exception does, and ends the process as it would have without that.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/variable.hpp"

namespace {

using kaon::testing::ProgramRun;
using kaon::testing::run_program;
using kaon::testing::Variable;

const std::string kLauncher = kaon::testing::program("kaonrun");
const std::string kFailing = kaon::testing::test_program("failing_program");
/// Sanitizers have handlers of their own, which we leave in place.
constexpr bool kIsSanitized = kaon::testing::kHasAddressSanitizer || kaon::testing::kHasThreadSanitizer;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// No test shall leave a core file.
ProgramRun crash(std::vector<std::string> command) {
  command.insert(command.begin(), {"/bin/sh", "-c", "ulimit -c 0; exec \"$0\" \"$@\""});
  return run_program(command);
}

struct Kind {
  const char* how;
  int signal;
  const char* said;
};
constexpr Kind kKinds[] = {{"segv", SIGSEGV, "crashed with SIGSEGV"}, {"fpe", SIGFPE, "crashed with SIGFPE"},
                           {"ill", SIGILL, "crashed with SIGILL"},    {"abort", SIGABRT, "crashed with SIGABRT"},
                           {"bus", SIGBUS, "crashed with SIGBUS"},    {"overflow", SIGSEGV, "stack overflow"}};

}  // namespace

TEST_CASE("a crash names process, PE, entry and element, shows the stack, and ends by its signal",
          "[multiprocess][crash]") {
  if (kIsSanitized) return;
  for (const Kind& kind : kKinds) {
    for (const char* pes : {"1", "3"}) {  // on the main thread and on another
      const ProgramRun run = crash({kFailing, "crash", kind.how, "--pes", pes});
      CAPTURE(kind.how, pes, run.text);
      CHECK(run.code == 128 + kind.signal);
      CHECK(contains(run.text, std::string("kaon: process 0, PE ") + (*pes == '1' ? "0" : "2") + ": " + kind.said));
      CHECK(contains(run.text, "in the entry failing::Victim::crash of element ("));
      CHECK(contains(run.text, "failing::Victim, run by a message from PE 0"));
      CHECK(contains(run.text, "failing_program("));
    }
  }
}

TEST_CASE("a crash in a task names its entry", "[multiprocess][crash]") {
  if (kIsSanitized) return;
  const ProgramRun run = crash({kFailing, "crash later", "segv", "--pes", "1"});
  CAPTURE(run.text);
  CHECK(run.code == 128 + SIGSEGV);
  CHECK(contains(run.text, "in the entry failing::Victim::crash_later of element (0, 0, 0) of 1 x 1 x 1"));
}

TEST_CASE("a crash of one process of several is told by it and by kaonrun", "[multiprocess][crash]") {
  if (kIsSanitized) return;
  const ProgramRun run = crash({kLauncher, "-n", "2", kFailing, "crash", "segv", "--pes", "1"});
  CAPTURE(run.text);
  CHECK(run.code != 0);
  CHECK(contains(run.text, "kaon: process 1, PE 1: crashed with SIGSEGV"));
  CHECK(contains(run.text, "at address 0x0"));
  CHECK(contains(run.text, "signal 11"));
}

TEST_CASE("the report of a crash can be switched off", "[multiprocess][crash]") {
  if (kIsSanitized) return;
  const ProgramRun by_option = crash({kFailing, "crash", "segv", "--no-crash-report"});
  const Variable off("KAON_CRASH_REPORT", "0");
  const ProgramRun by_variable = crash({kFailing, "crash", "segv"});
  for (const ProgramRun& run : {by_option, by_variable}) {
    CAPTURE(run.text);
    CHECK(run.code == 128 + SIGSEGV);
    CHECK_FALSE(contains(run.text, "kaon:"));
  }
}

TEST_CASE("UCX's own handlers give way to ours unless they were asked for", "[multiprocess][crash]") {
  if (kIsSanitized) return;
  const auto folder = std::filesystem::temp_directory_path() / ("kaon_crash_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "ucx.conf") << "UCX_HANDLE_ERRORS=bt\nUCX_MEM_MMAP_HOOK_MODE=none\n";
  {
    const Variable settings("UCX_CONFIG_DIR", folder.c_str());
    const ProgramRun ours = crash({kFailing, "crash", "segv", "--pes", "1"});
    CAPTURE(ours.text);
    CHECK(ours.code == 128 + SIGSEGV);
    CHECK(contains(ours.text, "in the entry failing::Victim::crash"));
    CHECK_FALSE(contains(ours.text, "Caught signal 11"));
  }
  std::filesystem::remove_all(folder);
  const Variable wanted("UCX_HANDLE_ERRORS", "bt");
  const ProgramRun theirs = crash({kFailing, "crash", "segv", "--pes", "1"});
  CAPTURE(theirs.text);
  CHECK(contains(theirs.text, "Caught signal 11"));
  CHECK_FALSE(contains(theirs.text, "in the entry failing::Victim::crash"));
}
