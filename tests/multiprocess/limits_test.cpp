// SPDX-License-Identifier: Apache-2.0
// What a run needs of its host is looked at before it is used.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::limits {

const std::string kLauncher = program("kaonrun");
const std::string kPrinting = test_program("printing_program");

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

ProgramRun run_script(const std::string& script) { return run_program({"/bin/sh", "-c", script}); }

// A script that sees shared memory of its own, of this size, and calls its words with it.
std::string with_shared_memory(const std::string& size, const std::string& command) {
  return "unshare --user --map-root-user --mount /bin/sh -c 'mount -t tmpfs -o size=" + size +
         " kaon-test /dev/shm && " + command + "'";
}

bool can_have_shared_memory_of_its_own() { return run_script(with_shared_memory("1m", "true")).code == 0; }

void check_refused_for_descriptors(const ProgramRun& run, const std::string& whose) {
  CAPTURE(run.text);
  CHECK(run.code == 2);
  CHECK(contains(run.text, whose + " needs up to"));
  CHECK(contains(run.text, "file descriptors"));
  CHECK(contains(run.text, "ulimit -n"));
}

TEST_CASE("a run that may open too few descriptors says so", "[multiprocess][limits]") {
  check_refused_for_descriptors(run_script("ulimit -n 14; exec " + kLauncher + " -n 4 " + kPrinting + " --pes 1"),
                                "this run");
}

TEST_CASE("a process that may open too few descriptors says so", "[multiprocess][limits]") {
  const std::string program = "\"ulimit -n 14; exec " + kPrinting + " --pes 2\"";
  check_refused_for_descriptors(run_script(kLauncher + " -n 2 /bin/sh -c " + program), "UCX");
}

TEST_CASE("descriptors that are allowed but not granted are taken", "[multiprocess][limits]") {
  const ProgramRun run = run_script("ulimit -S -n 14; exec " + kLauncher + " -n 4 " + kPrinting + " --pes 2");
  CAPTURE(run.text);
  CHECK(run.code == 0);
}

TEST_CASE("a host with too little shared memory is told, and what to do", "[multiprocess][limits]") {
  if (!can_have_shared_memory_of_its_own()) {
    WARN("this host gives nobody shared memory of his own");
    return;
  }
  const ProgramRun run = run_script(with_shared_memory("1m", kLauncher + " -n 2 " + kPrinting + " --pes 1"));
  CAPTURE(run.text);
  CHECK(run.code == 4);
  CHECK(contains(run.text, "2 PEs on this host need 3 MiB of shared memory"));
  CHECK(contains(run.text, "--shm-size"));
}

TEST_CASE("a container's shared memory of 64 MiB suffices for 48 PEs", "[multiprocess][limits]") {
  if (!can_have_shared_memory_of_its_own()) {
    WARN("this host gives nobody shared memory of his own");
    return;
  }
  const ProgramRun run = run_script(with_shared_memory("64m", kLauncher + " -n 24 " + kPrinting + " --pes 2"));
  CAPTURE(run.text);
  CHECK(run.code == 0);
}

}  // namespace kaon::testing::limits
