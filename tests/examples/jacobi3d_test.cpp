// SPDX-License-Identifier: Apache-2.0
// The program as a user starts it, on threads and on processes.
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/examples/reference_solver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace {

using kaon::testing::ProgramRun;
using kaon::testing::ReferenceSolver;
using kaon::testing::run_program;

struct Expected {
  double change;
  double sum;
};

Expected solve(int cells, int iterations) {
  ReferenceSolver reference(cells, cells, cells);
  double change = 0;
  for (int i = 0; i < iterations; ++i) change = reference.step();
  return {change, reference.sum()};
}

std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("kaon_" + std::to_string(getpid()) + "_" + name);
}

void compare(const std::vector<std::string>& start, const std::string& blocks, const Expected& expected) {
  const auto path = temporary("jacobi3d.json");
  std::vector<std::string> command = start;
  for (const char* word : {"--cells", "24", "--iterations", "30"}) command.emplace_back(word);
  command.insert(command.end(), {"--blocks", blocks, "--json", path.string()});
  const ProgramRun run = run_program(command);
  CAPTURE(run.text);
  REQUIRE(run.code == 0);
  const auto object = nlohmann::json::parse(std::ifstream(path));
  std::filesystem::remove(path);
  CHECK(object.at("iterations").get<int>() == 30);
  CHECK(object.at("change").get<double>() == expected.change);
  CHECK(std::abs(object.at("sum").get<double>() - expected.sum) <= 1e-13 * expected.sum);
}

std::vector<std::string> with_level(const std::string& level, std::vector<std::string> start) {
  start.insert(start.end(), {"--device", "host", "--level", level});
  return start;
}

std::vector<std::string> with_level_device(std::vector<std::string> start) {
  return with_level("device", std::move(start));
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string kProgram = kaon::testing::program("jacobi3d");
const std::string kLauncher = kaon::testing::program("kaonrun");

}  // namespace

TEST_CASE("jacobi3d finds what a sequential solver finds, on any number of PEs", "[jacobi3d]") {
  const Expected expected = solve(24, 30);
  for (const char* pes : {"1", "2", "5"})
    for (const char* blocks : {"1x1x1", "3x2x4", "6x6x6"}) {
      CAPTURE(pes, blocks);
      compare({kProgram, "--pes", pes}, blocks, expected);
    }
}

TEST_CASE("jacobi3d finds it on several processes", "[jacobi3d]") {
  const Expected expected = solve(24, 30);
  for (const char* processes : {"2", "4"})
    for (const char* blocks : {"1x1x1", "4x3x2", "2x2x2"}) {
      CAPTURE(processes, blocks);
      compare({kLauncher, "-n", processes, kProgram}, blocks, expected);
    }
}

TEST_CASE("jacobi3d finds it with every argument serialized", "[jacobi3d]") {
  compare({kProgram, "--pes", "2", "--serialize-always"}, "3x3x3", solve(24, 30));
}

TEST_CASE("jacobi3d finds the same on devices, in small blocks and with edges that go ahead", "[jacobi3d]") {
  const auto result_of = [](std::vector<std::string> command, const std::string& cells, const std::string& blocks) {
    const auto path = temporary("devices.json");
    command.insert(command.end(), {"--cells", cells, "--blocks", blocks, "--iterations", "5", "--json", path.string()});
    const ProgramRun run = run_program(command);
    CAPTURE(command, run.text);
    REQUIRE(run.code == 0);
    const auto object = nlohmann::json::parse(std::ifstream(path));
    std::filesystem::remove(path);
    return Expected{object.at("change").get<double>(), object.at("sum").get<double>()};
  };
  // The last has blocks that are large enough for edges of their own.
  for (const auto& [cells, blocks] : {std::pair{"24x24x24", "2x3x2"}, std::pair{"330x100x96", "3x1x1"}}) {
    const Expected expected = result_of({kProgram, "--pes", "1"}, cells, "1x1x1");
    // Streams go on in another order with each seed; without one they are threads.
    for (const std::string settings : {"devices=3", "seed=1", "seed=2", "seed=3", "seed=4"}) {
      const bool has_processes = settings == "seed=1";
      std::vector<std::string> command{"/usr/bin/env", "KAON_HOST_DEVICE=" + settings};
      if (has_processes) command.insert(command.end(), {kLauncher, "-n", "3"});
      command.insert(command.end(), {kProgram, "--device", "host", "--pes", has_processes ? "1" : "3"});
      for (const std::string level : {"host", "channel"}) {
        if (level == "channel" && settings != "devices=3" && settings != "seed=1") continue;
        std::vector<std::string> at_level = command;
        at_level.insert(at_level.end(), {"--level", level});
        const Expected found = result_of(at_level, cells, blocks);
        CAPTURE(cells, blocks, settings, level);
        CHECK(found.change == expected.change);
        CHECK(std::abs(found.sum - expected.sum) <= 1e-13 * expected.sum);
      }
    }
  }
}

TEST_CASE("a device that takes the steps by itself finds what a sequential solver finds", "[jacobi3d][level]") {
  const Expected expected = solve(24, 30);
  for (const char* pes : {"1", "2"})
    for (const char* blocks : {"1x1x1", "3x2x4", "24x1x1"}) {
      CAPTURE(pes, blocks);
      compare(with_level_device({kProgram, "--pes", pes}), blocks, expected);
    }
  for (const char* processes : {"2", "3"})
    for (const char* blocks : {"2x1x1", "4x4x4", "2x12x12"}) {
      CAPTURE(processes, blocks);
      compare(with_level_device({kLauncher, "-n", processes, kProgram}), blocks, expected);
    }
}

TEST_CASE("jacobi3d finds it with halos that go through channels, in 1 to 512 blocks", "[jacobi3d][level]") {
  const Expected expected = solve(24, 30);
  for (const char* pes : {"1", "2"})
    for (const char* blocks : {"1x1x1", "3x2x4", "24x1x1", "8x8x8"}) {
      CAPTURE(pes, blocks);
      compare(with_level("channel", {kProgram, "--pes", pes}), blocks, expected);
    }
  for (const char* processes : {"2", "3"})
    for (const char* blocks : {"2x1x1", "4x4x4", "2x12x12"}) {
      CAPTURE(processes, blocks);
      compare(with_level("channel", {kLauncher, "-n", processes, kProgram}), blocks, expected);
    }
  compare(with_level("channel", {"/usr/bin/env", "KAON_HOST_DEVICE=devices=3", kProgram, "--pes", "3"}), "6x2x1",
          expected);
  compare(with_level("channel", {kLauncher, "-n", "2", kProgram, "--pes", "2", "--serialize-always"}), "3x2x2",
          expected);
  for (const char* launches : {"gathered", "single"})
    for (const std::string settings : {"seed=1", "seed=2", "delay_us=50"}) {
      CAPTURE(launches, settings);
      compare(with_level("channel", {"/usr/bin/env", "KAON_HOST_DEVICE=" + settings, kProgram, "--pes", "2",
                                     "--launches", launches}),
              "2x3x2", expected);
    }
}

// Each block also has x planes at an edge that are all it has, or planes that are one point thick.
TEST_CASE("devices find it in blocks that are thin, and on devices of one process", "[jacobi3d][level]") {
  const Expected expected = solve(24, 30);
  for (const char* blocks : {"24x1x1", "1x24x1", "1x1x24", "6x4x1"}) {
    CAPTURE(blocks);
    compare(with_level_device({kLauncher, "-n", "2", kProgram}), blocks, expected);
  }
  compare(with_level_device({"/usr/bin/env", "KAON_HOST_DEVICE=devices=3", kProgram, "--pes", "3"}), "6x2x1", expected);
  compare(with_level_device({kLauncher, "-n", "2", kProgram, "--pes", "2"}), "3x2x2", expected);
}

TEST_CASE("a level goes on where the run of steps before has ended", "[jacobi3d][level]") {
  const auto result_of = [](const std::string& level, const std::vector<std::string>& more) {
    const auto json = temporary("level.json"), picture = temporary("level.png");
    std::vector<std::string> command{kLauncher, "-n", "2", kProgram, "--device", "host", "--level", level};
    for (const char* word : {"--cells", "12", "--blocks", "4x2x1"}) command.emplace_back(word);
    command.insert(command.end(), {"--json", json.string(), "--picture", picture.string()});
    command.insert(command.end(), more.begin(), more.end());
    const ProgramRun run = run_program(command);
    CAPTURE(command, run.text);
    REQUIRE(run.code == 0);
    const auto object = nlohmann::json::parse(std::ifstream(json));
    const std::string drawn = bytes_of(picture);
    std::filesystem::remove(json);
    std::filesystem::remove(picture);
    return std::tuple(object.at("iterations").get<int>(), object.at("change").get<double>(), drawn);
  };
  // With a tolerance each step is a run, of which odd and even ones have memory of their own for the change.
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--iterations", "1000", "--tolerance", "0.01"},
                                               {"--iterations", "9", "--warm-up", "4"}})
    for (const char* level : {"channel", "device"}) CHECK(result_of(level, more) == result_of("host", more));
}

TEST_CASE("jacobi3d says what its levels are for", "[jacobi3d][level]") {
  const auto refused = [](std::vector<std::string> more, const std::string& why) {
    more.insert(more.begin(), {kProgram, "--cells", "8"});
    const ProgramRun run = run_program(more);
    CAPTURE(more, run.text);
    CHECK(run.code == 2);
    CHECK(run.text.find("jacobi3d: ") != std::string::npos);
    CHECK(run.text.find(why) != std::string::npos);
  };
  refused({"--level", "device"}, "--level device is for runs with --device: cuda, hip or, for trying it, host");
  refused({"--level", "channel"}, "--level channel is for runs with --device");
  refused({"--level", "channel", "--device", "host", "--sends-only"}, "--sends-only is for --level host");
  refused({"--level", "device", "--device", "host", "--sends-only"}, "--sends-only is for --level host");
  refused({"--level", "warp"}, "--level");
  refused({"--level", "warp", "--device", "host"}, "(try --help)");
}

TEST_CASE("jacobi3d's digits do not depend on the iterations that come before the clock", "[jacobi3d]") {
  const Expected expected = solve(24, 30);
  compare({kProgram, "--pes", "2", "--warm-up", "7"}, "2x2x2", expected);
  compare({kLauncher, "-n", "2", kProgram, "--device", "host", "--warm-up", "29"}, "2x2x2", expected);
  const ProgramRun refused = run_program({kProgram, "--iterations", "5", "--warm-up", "5"});
  CHECK(refused.code == 2);
  CHECK(refused.text.find("give 0 to 4") != std::string::npos);
}

TEST_CASE("jacobi3d sends its planes and computes nothing when that is asked for", "[jacobi3d]") {
  for (const bool is_on_device : {false, true}) {
    std::vector<std::string> command{
        kLauncher, "-n", "2", kProgram, "--sends-only", "--cells", "24", "--blocks", "2x2x2", "--iterations", "30"};
    if (is_on_device) command.insert(command.end(), {"--device", "host"});
    const ProgramRun run = run_program(command);
    CAPTURE(command, run.text);
    CHECK(run.code == 0);
    CHECK(run.text.find("iterations 30  change 0 ") != std::string::npos);
  }
  const ProgramRun refused = run_program({kProgram, "--sends-only", "--tolerance", "0.1"});
  CHECK(refused.code == 2);
  CHECK(refused.text.find("--tolerance") != std::string::npos);
}

TEST_CASE("jacobi3d stops at the first step that changes no point by more than the tolerance", "[jacobi3d]") {
  ReferenceSolver reference(12, 12, 12);
  int steps = 1;
  while (reference.step() > 0.01) ++steps;
  const auto path = temporary("tolerance.json");
  const ProgramRun run = run_program({kProgram, "--cells", "12", "--blocks", "2x2x2", "--iterations", "1000",
                                      "--tolerance", "0.01", "--json", path.string()});
  CAPTURE(run.text);
  REQUIRE(run.code == 0);
  const auto object = nlohmann::json::parse(std::ifstream(path));
  std::filesystem::remove(path);
  CHECK(object.at("iterations").get<int>() == steps);
  CHECK(std::abs(object.at("sum").get<double>() - reference.sum()) <= 1e-13 * reference.sum());
}

TEST_CASE("jacobi3d draws the middle slice", "[jacobi3d]") {
  const auto path = temporary("slice.png");
  const ProgramRun run =
      run_program({kLauncher, "-n", "2", kProgram, "--cells", "12", "--blocks", "2x3x4", "--picture", path.string()});
  CAPTURE(run.text);
  CHECK(run.code == 0);
  std::string magic(8, '\0');
  std::ifstream(path, std::ios::binary).read(magic.data(), 8);
  CHECK(magic == "\x89PNG\r\n\x1a\n");
  std::filesystem::remove(path);
}

TEST_CASE("jacobi3d refuses what it cannot do, on one process and on two", "[jacobi3d]") {
  const std::vector<std::vector<std::string>> wrong{{"--cells", "10000"},
                                                    {"--cells", "10", "--blocks", "4x1x1"},
                                                    {"--cells", "8", "--blocks", "0x1x1"},
                                                    {"--cells", "8", "--blocks", "1x-1x1"},
                                                    {"--cells", "8", "--unknown"},
                                                    {"--cells", "8", "--picture", "/no/such/folder/slice.png"}};
  for (const std::vector<std::string>& arguments : wrong)
    for (const std::vector<std::string>& start :
         {std::vector<std::string>{kProgram}, std::vector<std::string>{kLauncher, "-n", "2", kProgram}}) {
      std::vector<std::string> command = start;
      command.insert(command.end(), arguments.begin(), arguments.end());
      const ProgramRun run = run_program(command);
      CAPTURE(command, run.text);
      CHECK(run.code == 2);
      CHECK(run.text.find("jacobi3d: ") != std::string::npos);
    }
}
