// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/once_per_run.hpp"

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

struct TemporaryFolder {
  TemporaryFolder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  std::string path = std::filesystem::temp_directory_path() / "kaon-once-XXXXXX";
};

}  // namespace

TEST_CASE("what a run prints once is printed by one of its processes, and by that once", "[ampi][ranks]") {
  const TemporaryFolder folder;
  OncePerRun one(folder.path), other(folder.path);
  CHECK(one.is_first("MPI_File_open"));
  CHECK_FALSE(one.is_first("MPI_File_open"));
  CHECK_FALSE(other.is_first("MPI_File_open"));
  CHECK(other.is_first("MPI_Win_create"));
  CHECK_FALSE(one.is_first("MPI_Win_create"));
}

TEST_CASE("what a run prints once is printed without a folder of the run, and when that has gone", "[ampi][ranks]") {
  OncePerRun alone("");
  CHECK(alone.is_first("MPI_File_open"));
  CHECK_FALSE(alone.is_first("MPI_File_open"));
  OncePerRun late("/nowhere/at/all");
  CHECK(late.is_first("MPI_File_open"));
  CHECK_FALSE(late.is_first("MPI_File_open"));
}

}  // namespace kaon::ampi
