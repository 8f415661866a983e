// SPDX-License-Identifier: Apache-2.0
// threads: PEs of several processes
// Real processes over UCX, and more PEs than cores.
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/kaonrun_command.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace {

using kaon::testing::Variable;

const std::string kTraffic = kaon::testing::test_program("traffic_program");
const std::vector<std::string> kKinds{"pairs", "storm", "payloads", "flood", "large", "calls", "moves", "farewell"};

void check_traffic(const std::string& processes, const std::string& pes, const std::string& kind,
                   const std::vector<std::string>& options = {}) {
  const kaon::testing::ProgramRun run =
      kaon::testing::run_program(kaon::testing::kaonrun_command(processes, pes, kTraffic, kind, options));
  CAPTURE(processes, pes, kind, options, run.text);
  CHECK(run.code == 0);
}

}  // namespace

TEST_CASE("everything sent between two processes arrives as it was", "[multiprocess]") {
  for (const std::string& kind : kKinds) check_traffic("2", "1", kind);
}

TEST_CASE("everything sent between four processes arrives as it was", "[multiprocess]") {
  for (const std::string& kind : kKinds) check_traffic("4", "1", kind);
}

TEST_CASE("everything sent between the threads of one process arrives as it was", "[multiprocess]") {
  for (const std::string& kind : kKinds) check_traffic("1", "4", kind);
}

TEST_CASE("everything sent between processes of several threads arrives as it was", "[multiprocess]") {
  for (const std::string& kind : kKinds) check_traffic("2", "3", kind);
}

TEST_CASE("tagged messages carry what active messages carry", "[multiprocess]") {
  const Variable tagged("KAON_TESTING", "ucx_host=tag");
  for (const std::string& kind : kKinds) check_traffic("2", "1", kind);
}

TEST_CASE("arguments survive being serialized wherever they go", "[multiprocess]") {
  for (const std::string& kind : kKinds) check_traffic("2", "2", kind, {"--serialize-always"});
}

TEST_CASE("floods in both directions end with the fewest credits", "[multiprocess]") {
  for (const char* kind : {"flood", "large", "payloads"}) check_traffic("2", "1", kind, {"--credits", "2"});
}

TEST_CASE("payload numbers may wrap around", "[multiprocess]") {
  const Variable narrow("KAON_TESTING", "payload_counter_bits=6");
  check_traffic("2", "1", "payloads");
}

TEST_CASE("runs that start and end at once leave nothing behind", "[multiprocess]") {
  // a folder of this test's own for shared memory: other tests use /dev/shm meanwhile
  std::string folder = std::filesystem::temp_directory_path() / "kaon_shm_XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  setenv("UCX_POSIX_DIR", folder.c_str(), 1);
  for (int i = 0; i < 10; ++i) check_traffic("3", "1", "pairs");
  unsetenv("UCX_POSIX_DIR");
  CHECK(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}
