// SPDX-License-Identifier: Apache-2.0
// Programs under srun, in a cluster of real daemons of Slurm.
#include <csignal>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "tests/launchers/slurm_cluster.hpp"
#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::slurm_runs {

const std::string kPrinting = test_program("printing_program");
const std::string kFailing = test_program("failing_program");
const std::string kTraffic = test_program("traffic_program");

std::vector<std::string> srun(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{tool("srun"), "--mpi=pmix"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

// Two on each of two hosts, with TCP between them.
std::vector<std::string> on_two_hosts(const std::vector<std::string>& program) {
  std::vector<std::string> command = srun({"-N", "2", "-n", "4"});
  command.insert(command.end(), program.begin(), program.end());
  command.insert(command.end(), {"--pes", "1", "--interface", "lo"});
  return command;
}

std::string only_job() {
  const ProgramRun jobs = run_program({tool("squeue"), "--noheader", "--format=%i"});
  REQUIRE(std::regex_match(jobs.text, std::regex("\\d+\n")));
  return jobs.text.substr(0, jobs.text.size() - 1);
}

TEST_CASE("srun starts a run, on one host and on two", "[launchers]") {
  const SlurmCluster cluster;
  check_end(run_program(srun({"-N", "1", "-n", "3", kPrinting, "--pes", "2", "--log-level", "info"})), 0,
            {"6 PEs\n", "3 processes on 1 host"});

  check_end(run_program(on_two_hosts({kPrinting, "--log-level", "info"})), 0,
            {"4 PEs\n", "4 processes on 2 hosts", "tcp"});

  for (const char* kind : {"pairs", "storm", "payloads", "large", "calls"}) {
    const ProgramRun traffic = run_program(on_two_hosts({kTraffic, kind}));
    CAPTURE(kind, traffic.text);
    CHECK(traffic.code == 0);
  }
}

TEST_CASE("the code of a run reaches who called srun", "[launchers]") {
  const SlurmCluster cluster;
  CHECK(run_program(on_two_hosts({kFailing, "return", "7"})).code == 7);
  const ProgramRun entry = run_program(on_two_hosts({kFailing, "entry"}));
  CAPTURE(entry.text);
  CHECK(entry.code == 1);
  CHECK_THAT(entry.text, contains_text("process 3: PE 3: the entry gave up"));
  if (kHasAddressSanitizer) return;  // whose handler of crashes ends a process in its own way
  check_end(run_program(on_two_hosts({kFailing, "crash", "segv"})), 128 + SIGSEGV);
}

TEST_CASE("srun without PMIx is an error that names the cure", "[launchers][bad input]") {
  const SlurmCluster cluster;
  check_end(run_program({tool("srun"), "--mpi=none", "-n", "2", kPrinting}), 2, {"SLURM_NTASKS=2", "srun --mpi=pmix"});
}

TEST_CASE("PEs that need more memory than Slurm has granted are refused", "[launchers][bad input]") {
  const SlurmCluster cluster;
  const auto with_20_mib = [](std::vector<std::string> command, const std::string& pes) {
    command.insert(command.end(), {"--mpi=pmix", kPrinting, "--pes", pes});
    return run_program(command);
  };
  const std::vector<std::string> allocated{tool("salloc"), "--mem=20", "-N", "1", "-n", "2", tool("srun")};
  const std::vector<std::string> bare{tool("srun"), "--mem=20", "-N", "1", "-n", "2"};
  const ProgramRun in_allocation = with_20_mib(allocated, "16"), alone = with_20_mib(bare, "16");
  CAPTURE(in_allocation.text, alone.text);
  CHECK(in_allocation.code == 4);
  CHECK(alone.code == 4);
  const auto is_refused = contains_text("the 32 PEs on this host need 68 MiB of memory");
  CHECK_THAT(in_allocation.text, is_refused && contains_text("SLURM_MEM_PER_NODE=20"));
  CHECK_THAT(alone.text, is_refused && contains_text("20 MiB is all they may take") && contains_text("ulimit -m"));
  CHECK(with_20_mib(allocated, "2").code == 0);
  CHECK(with_20_mib(bare, "2").code == 0);
}

TEST_CASE("a second program in the place of the first is refused under srun, too", "[launchers][bad input]") {
  const SlurmCluster cluster;
  const std::string twice = kPrinting + " --pes 1; " + kPrinting + " --pes 1";
  check_end(run_program(srun({"-N", "1", "-n", "2", tool("sh"), "-c", twice})), 2,
            {"2 PEs\n", "process' place before"});
}

TEST_CASE("several hosts without a network between them are an error that names the cure", "[launchers][bad input]") {
  const SlurmCluster cluster;
  check_end(run_program(srun({"-N", "2", "-n", "2", kPrinting, "--pes", "1"})), 2, {"--interface"});
}

TEST_CASE("on several hosts nothing listens beside the interface that was named", "[launchers]") {
  const SlurmCluster cluster;
  LaunchedRun run = LaunchedRun::of_program(on_two_hosts({kFailing, "wait"}));
  int listening = 0;
  for (const int pid : run.wait_until_ready(4)) {
    for (const std::string& address : listening_addresses(pid)) {
      CHECK(address == "0100007F");  // 127.0.0.1
      ++listening;
    }
  }
  CHECK(listening > 0);  // UCX's
  CHECK(run_program({tool("scancel"), only_job()}).code == 0);
  run.finish();
}

// As at the end of its time: SIGTERM, and some seconds later SIGKILL.
TEST_CASE("a job whose time is over ends by SIGTERM", "[launchers]") {
  const SlurmCluster cluster;
  LaunchedRun run = LaunchedRun::of_program(on_two_hosts({kFailing, "wait"}));
  run.wait_until_ready(4);
  CHECK(run_program({tool("scancel"), "--signal=TERM", only_job() + ".0"}).code == 0);
  CHECK(run.finish().code == 128 + SIGTERM);
}

TEST_CASE("a process that is killed under srun ends the run", "[launchers]") {
  const SlurmCluster cluster;
  LaunchedRun run = LaunchedRun::of_program(on_two_hosts({kFailing, "wait"}));
  kill(run.wait_until_ready(4)[1], SIGKILL);
  CHECK(run.finish().code == 128 + SIGKILL);
}

// Of a benchmark, which gives the command.
TEST_CASE("a command within a cluster of Slurm", "[.command]") {
  const char* const command = getenv("KAON_COMMAND");
  REQUIRE(command != nullptr);
  const SlurmCluster cluster;
  CHECK(std::system(command) == 0);
}

}  // namespace kaon::testing::slurm_runs
