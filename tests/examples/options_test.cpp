// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/options.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace {

using jacobi3d::Options;
using jacobi3d::parse_options;
using jacobi3d::Triple;

// The sentence with which these arguments are refused; empty when they are not.
std::string refusal(const std::vector<std::string>& arguments, bool has_devices = false) {
  try {
    parse_options(arguments, has_devices);
  } catch (const kaon::runtime::UsageError& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("options say what to solve", "[jacobi3d]") {
  const Options options =
      parse_options({"--cells", "24", "--blocks", "2x3x4", "--iterations", "7", "--tolerance", "1e-3"});
  CHECK(options.decomposition.cells == Triple{24, 24, 24});
  CHECK(options.decomposition.blocks == Triple{2, 3, 4});
  CHECK(options.decomposition.block_shape() == Triple{12, 8, 6});
  CHECK(options.iterations == 7);
  CHECK(options.tolerance == 1e-3);
  CHECK(options.json.empty());
}

TEST_CASE("blocks that nobody asked for divide the cells", "[jacobi3d]") {
  CHECK(parse_options({"--cells", "64"}).decomposition.blocks == Triple{4, 4, 4});
  CHECK(parse_options({"--cells", "9"}).decomposition.blocks == Triple{3, 3, 3});
  CHECK(parse_options({"--cells", "7"}).decomposition.blocks == Triple{1, 1, 1});
}

TEST_CASE("an impossible decomposition is refused with what to give instead", "[jacobi3d]") {
  CHECK(has(refusal({"--cells", "100", "--blocks", "4x3x4"}), "along y: give 2 or 4 blocks"));
  CHECK(has(refusal({"--cells", "8", "--blocks", "16x1x1"}), "give at most 8"));
  CHECK(has(refusal({"--cells", "8", "--blocks", "0x1x1"}), "give at least 1"));
  CHECK(has(refusal({"--cells", "8", "--blocks", "1x1x-2"}), "give at least 1"));
  CHECK(has(refusal({"--cells", "0"}), "give at least 1"));
  CHECK(has(refusal({"--cells", "-8"}), "give at least 1"));
  CHECK(has(refusal({"--cells", "10000000"}), "GiB"));
  CHECK(has(refusal({"--cells", "1000000000000"}), "GiB"));
  CHECK(has(refusal({"--cells", "1000000000000", "--blocks", "1x1x1"}), "give at most"));
}

TEST_CASE("blocks must be three whole numbers", "[jacobi3d]") {
  for (const char* text :
       {"4", "4x4", "4x4x", "x4x4", "4x4x4x4", "4*4*4", "axbxc", "4x4x4 ", "99999999999999999999x1x1"}) {
    CAPTURE(text);
    CHECK(has(refusal({"--cells", "8", "--blocks", text}), "three whole numbers"));
  }
}

TEST_CASE("other options are checked too", "[jacobi3d]") {
  CHECK(has(refusal({"--cells", "8", "--iterations", "0"}), "--iterations 0: give 1 to"));
  CHECK(has(refusal({"--cells", "8", "--iterations", "99999999999"}), "give 1 to"));
  CHECK(has(refusal({"--cells", "8", "--tolerance", "-1"}), "--tolerance"));
  CHECK(has(refusal({"--cells", "8", "--tolerance", "nan"}), "--tolerance"));
  CHECK(has(refusal({"--cels", "8"}), "--help"));
  CHECK(has(refusal({"--cells", "eight"}), "--cells"));
}

TEST_CASE("who takes the steps depends on whether there are devices", "[jacobi3d][level]") {
  using jacobi3d::Level;
  for (const bool has_devices : {false, true}) {
    CHECK(parse_options({"--cells", "8"}, has_devices).level == Level::host);
    CHECK(parse_options({"--cells", "8", "--level", "host", "--sends-only"}, has_devices).level == Level::host);
    CHECK(has(refusal({"--cells", "8", "--level", "warp"}, has_devices), "--help"));
  }
  CHECK(parse_options({"--cells", "8", "--level", "device"}, true).level == Level::device);
  CHECK(parse_options({"--cells", "8", "--level", "channel"}, true).level == Level::channel);
  CHECK(has(refusal({"--cells", "8", "--level", "device"}), "is for runs with --device"));
  CHECK(has(refusal({"--cells", "8", "--level", "channel"}), "--level channel is for runs with --device"));
  CHECK(has(refusal({"--cells", "8", "--level", "device", "--sends-only"}, true), "nothing is sent but flags"));
}

TEST_CASE("an output file that cannot be written is refused before the run", "[jacobi3d]") {
  for (const char* option : {"--json", "--picture"}) {
    const std::string text = refusal({"--cells", "8", option, "/no/such/folder/file"});
    CHECK(has(text, "/no/such/folder/file: No such file or directory; give a path"));
  }
}

TEST_CASE("trying an output file leaves no file behind", "[jacobi3d]") {
  const auto path = std::filesystem::temp_directory_path() / "kaon_jacobi3d_options_test.json";
  std::filesystem::remove(path);
  CHECK(parse_options({"--cells", "8", "--json", path.string()}).json == path.string());
  CHECK_FALSE(std::filesystem::exists(path));
}
