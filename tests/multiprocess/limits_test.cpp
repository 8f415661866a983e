// SPDX-License-Identifier: Apache-2.0
// What a run needs of its host is looked at before it is used.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

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
  CHECK(contains(run.text, "file descriptors, and the hard limit is 14"));
  CHECK(contains(run.text, "ulimit -n"));
}

bool lacks_shared_memory_of_its_own() {
  if (can_have_shared_memory_of_its_own()) return false;
  WARN("this host gives nobody shared memory of his own");
  return true;
}

TEST_CASE("a run that may open too few descriptors says so", "[multiprocess][limits]") {
  check_refused_for_descriptors(run_script("ulimit -n 14; exec " + kLauncher + " -n 4 " + kPrinting + " --pes 1"),
                                "this run");
}

TEST_CASE("a process that may open too few descriptors says so", "[multiprocess][limits]") {
  const std::string program = "\"ulimit -n 14; exec " + kPrinting + " --pes 2\"";
  check_refused_for_descriptors(run_script(kLauncher + " -n 2 /bin/sh -c " + program), "UCX");
}

TEST_CASE("a process alone that may open too few descriptors says so", "[multiprocess][limits]") {
  const std::string close_inherited = "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ";
  for (const char* descriptors : {"4", "5", "6"}) {
    const ProgramRun run =
        run_script(close_inherited + "ulimit -n " + descriptors + "; exec " + kPrinting + " --pes 2");
    CAPTURE(descriptors, run.text);
    CHECK(run.code == 2);
    CHECK(contains(run.text, "Too many open files; raise `ulimit -n`"));
  }
}

TEST_CASE("descriptors that are allowed but not granted are taken", "[multiprocess][limits]") {
  const ProgramRun run = run_script("ulimit -S -n 14; exec " + kLauncher + " -n 4 " + kPrinting + " --pes 2");
  CAPTURE(run.text);
  CHECK(run.code == 0);
}

/// With so many threads as it needs the run is right; with fewer the reason is said once, and by nothing else.
void check_each_count_of_threads(const std::string& command, bool is_ucx_silent) {
  constexpr int kMost = 40;
  for (int threads = 0; threads < kMost; ++threads) {
    const ProgramRun run = run_script(command + " " + std::to_string(threads) + " --pes 2");
    CAPTURE(command, threads, run.text);
    if (run.code == 0) {
      CHECK(threads > 0);
      return;
    }
    CHECK(run.code == 2);
    CHECK((contains(run.text, "cannot start ") || contains(run.text, "UCX gave up at its start")));
    CHECK(contains(run.text, "ulimit -u"));
    CHECK((!is_ucx_silent || !contains(run.text, "UCX  ERROR")));
  }
  FAIL("no count of threads is enough");
}

TEST_CASE("a run that may start too few threads says so", "[multiprocess][limits]") {
  const std::string program = test_program("thread_end_program");
  check_each_count_of_threads(program + " living", true);
  check_each_count_of_threads(kLauncher + " -n 2 " + program + " living", true);
}

// Another process may take the last one in the moment between the look and the use.
TEST_CASE("a thread that UCX is refused ends the run with the reason", "[multiprocess][limits]") {
  check_each_count_of_threads(kLauncher + " -n 2 " + test_program("thread_end_program") + " made", false);
}

TEST_CASE("a host with too little shared memory is told, and what to do", "[multiprocess][limits]") {
  if (lacks_shared_memory_of_its_own()) return;
  check_end(run_script(with_shared_memory("1m", kLauncher + " -n 2 " + kPrinting + " --pes 1")), 4,
            {"2 PEs on this host need 3 MiB of shared memory", "--shm-size"});
}

TEST_CASE("a host whose shared memory can hold too few files is told, and what to do", "[multiprocess][limits]") {
  if (lacks_shared_memory_of_its_own()) return;
  for (const char* inodes : {"1", "2", "4"}) {
    const std::string size = std::string("64m,nr_inodes=") + inodes;
    const ProgramRun run = run_script(with_shared_memory(size, kLauncher + " -n 2 " + kPrinting + " --pes 1"));
    CAPTURE(inodes, run.text);
    CHECK(run.code == 4);
    CHECK(contains(run.text, std::string("more files (") + inodes + " inodes)"));
    CHECK(contains(run.text, "nr_inodes="));
    CHECK(!contains(run.text, "UCX  ERROR"));
  }
}

TEST_CASE("stacks that are too small are told, and what to do", "[multiprocess][limits]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // which need more of them
  for (const char* kib : {"32", "64", "128"})
    for (const std::string& command : {kPrinting + " --pes 2", kLauncher + " -n 2 " + kPrinting + " --pes 2"}) {
      const ProgramRun run = run_script("ulimit -s " + std::string(kib) + "; exec " + command);
      CAPTURE(kib, command, run.text);
      CHECK(run.code == 4);
      CHECK(contains(run.text, "a stack may have " + std::string(kib) + " KiB here (ulimit -s), and needs 256"));
    }
  CHECK(run_script("ulimit -s 256; exec " + kLauncher + " -n 2 " + kPrinting + " --pes 2").code == 0);
}

// The system chooses at random where the stack begins in its first page: one run of several has the least of it.
TEST_CASE("kaonrun answers in a stack in which a program only just starts", "[multiprocess][limits]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // as above
  for (int i = 0; i < 20; ++i) {
    const ProgramRun run = run_script("ulimit -s 24; exec env -i " + kLauncher + " -n 1 true");
    CAPTURE(i, run.text);
    CHECK(run.code == 4);
    CHECK(contains(run.text, "kaonrun: a stack may have 24 KiB here (ulimit -s), and needs 256"));
  }
}

TEST_CASE("a host whose shared memory cannot be written is told, and what to do", "[multiprocess][limits]") {
  if (lacks_shared_memory_of_its_own()) return;
  check_end(run_script(with_shared_memory("64m,ro", kLauncher + " -n 2 " + kPrinting + " --pes 1")), 2,
            {"/dev/shm, which this one cannot write (Read-only file system): mount it"});
}

TEST_CASE("a container's shared memory of 64 MiB suffices for 48 PEs", "[multiprocess][limits]") {
  if (lacks_shared_memory_of_its_own()) return;
  check_end(run_script(with_shared_memory("64m", kLauncher + " -n 24 " + kPrinting + " --pes 2")), 0);
}

TEST_CASE("PEs that may not reserve what they need are told, and what to do", "[multiprocess][limits]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // which reserves more by itself than any limit allows
  const std::string limited = "ulimit -v 250000; exec ";
  for (const std::string& command : {kPrinting + " --pes 16", kLauncher + " -n 2 " + kPrinting + " --pes 16"}) {
    const ProgramRun run = run_script(limited + command);
    CAPTURE(run.text);
    CHECK(run.code == 4);
    CHECK(contains(run.text, "the 16 PEs of this process need "));
    CHECK(contains(run.text, "and may have 245 MiB (ulimit -v)"));
  }
}

// A control group of the test's own, where root may make one.
class SmallGroup {
 public:
  SmallGroup() {
    const std::filesystem::path groups = "/sys/fs/cgroup";
    const bool is_version_2 = std::filesystem::exists(groups / "cgroup.controllers");
    path_ = (is_version_2 ? groups : groups / "memory") / ("kaon-test-" + std::to_string(getpid()));
    std::error_code error;
    const bool is_made = std::filesystem::create_directory(path_, error);
    if (is_made && write(is_version_2 ? "memory.max" : "memory.limit_in_bytes")) return;
    if (is_made) rmdir(path_.c_str());
    path_.clear();
    WARN("not seen: control groups are made by root, where the system lets him");
  }
  SmallGroup(const SmallGroup&) = delete;
  SmallGroup& operator=(const SmallGroup&) = delete;
  ~SmallGroup() {
    if (exists()) rmdir(path_.c_str());
  }
  [[nodiscard]] bool exists() const { return !path_.empty(); }
  [[nodiscard]] ProgramRun run(const std::string& command) const {
    return run_script("echo $$ > " + path_.string() + "/cgroup.procs && exec " + command);
  }

 private:
  [[nodiscard]] bool write(const char* limit) const {
    std::ofstream file(path_ / limit);
    return static_cast<bool>(file << (64 << 20) << std::flush);
  }

  std::filesystem::path path_;
};

TEST_CASE("a run that its control group has no memory for does not begin", "[multiprocess][limits]") {
  if (kHasThreadSanitizer) return;  // which takes more than the group's memory before the first line of a program
  const SmallGroup group;
  if (!group.exists()) return;
  const ProgramRun run = group.run(kLauncher + " -n 4 " + kPrinting + " --pes 16");
  CAPTURE(run.text);
  CHECK(run.code == 4);
  CHECK(
      contains(run.text, "the 64 PEs on this host need 136 MiB of memory before there is a chare, and 64 MiB is all"));
  CHECK(group.run(kLauncher + " -n 2 " + kPrinting + " --pes 2").code == 0);
}

TEST_CASE("a process that is killed for want of memory is named with the reason", "[multiprocess][limits]") {
  const SmallGroup group;
  if (!group.exists()) return;
  const ProgramRun run = group.run(kLauncher + " -n 2 " + test_program("failing_program") + " hoard --pes 1");
  CAPTURE(run.text);
  CHECK(run.code == 128 + SIGKILL);
  CHECK(contains(run.text, "(Killed) as its control group was out of memory"));
}

}  // namespace kaon::testing::limits
