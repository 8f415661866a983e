// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>

#include <kaon/kaon.hpp>

#include "examples/support/output_file.hpp"

namespace jacobi3d {
namespace {

constexpr const char* kPurpose = "Heat in a cube whose faces are kept at 1, by Jacobi relaxation";

constexpr std::int64_t kWarmUp = 3;  // iterations in which memory is taken and processes come to know each other

// As the user wrote them.
struct Raw {
  std::string cells = "128";
  std::string blocks;
  std::string level = "host";
  std::int64_t iterations = 100;
  std::optional<std::int64_t> warm_up;
  int streams = 4;
  std::string launches = "auto";
  bool sends_only = false;
  double tolerance = 0;
  std::string json;
  std::string picture;
};

void declare(CLI::App& app, Raw& raw) {
  app.set_help_flag();  // asks_for_help() looks for it before anything is checked
  app.add_option("--cells", raw.cells, "Points along each axis: one number, or three as 512x256x256")
      ->capture_default_str();
  app.add_option("--blocks", raw.blocks, "Blocks along each axis, as 4x4x4; each must divide the cells");
  app.add_option("--level", raw.level,
                 "Who takes the steps: \"host\", by kernels that it launches, \"channel\", the same with halos that "
                 "kernels write where they are read, or \"device\", by entries that run there")
      ->capture_default_str()
      ->check(CLI::IsMember({"host", "channel", "device"}));
  app.add_option("--iterations", raw.iterations, "Steps at most")->capture_default_str();
  app.add_option("--warm-up", raw.warm_up,
                 "Of the iterations, the first so many have a time of their own (default: 3, of more than 3)");
  app.add_option("--streams", raw.streams, "Streams that the blocks of a PE share, with --device")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  app.add_option(
         "--launches", raw.launches,
         "With --device: \"gathered\", one kernel for all blocks of a PE that are ready together, \"single\", one for "
         "each, or \"auto\", gathered for small blocks")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "gathered", "single"}));
  app.add_flag("--sends-only", raw.sends_only, "Send the planes and compute nothing: what communication alone takes");
  app.add_option("--tolerance", raw.tolerance, "Stop after a step that changes no point by more; 0: never");
  app.add_option("--json", raw.json, "Write the result to this file");
  app.add_option("--picture", raw.picture, "Write the middle slice to this PNG file");
}

std::array<std::int64_t, 3> parse_triple(const char* option, const std::string& text) {
  std::array<std::int64_t, 3> values{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t a = 0; a < 3; ++a) {
    const auto [rest, error] = std::from_chars(at, end, values[a]);
    const bool is_separated = a == 2 ? rest == end : rest != end && *rest == 'x';
    if (error != std::errc() || !is_separated)
      throw kaon::UsageError(
          fmt::format("{} {}: give three whole numbers with x between them, as 4x4x4", option, text));
    at = rest + 1;
  }
  return values;
}

std::array<std::int64_t, 3> parse_cells(const std::string& text) {
  if (text.find('x') != std::string::npos) return parse_triple("--cells", text);
  std::int64_t cells = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), cells);
  if (error != std::errc() || rest != text.data() + text.size())
    throw kaon::UsageError(fmt::format("--cells {}: give a whole number, or three as 512x256x256", text));
  return {cells, cells, cells};
}

std::size_t memory_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Launches launches_of(const std::string& name) {
  if (name == "auto") return Launches::by_size;
  return name == "gathered" ? Launches::gathered : Launches::single;
}

Level level_of(const std::string& name) {
  if (name == "host") return Level::host;
  return name == "channel" ? Level::channel : Level::device;
}

Options checked(const Raw& raw, bool has_devices) {
  if (raw.level != "host" && !has_devices)
    throw kaon::UsageError(
        fmt::format("--level {} is for runs with --device: cuda, hip or, for trying it, host", raw.level));
  if (raw.level != "host" && raw.sends_only)
    throw kaon::UsageError("--sends-only is for --level host: on the others nothing is sent but flags");
  if (raw.iterations < 1 || raw.iterations > std::numeric_limits<int>::max())
    throw kaon::UsageError(
        fmt::format("--iterations {}: give 1 to {}", raw.iterations, std::numeric_limits<int>::max()));
  const std::int64_t warm_up = raw.warm_up.value_or(std::min(kWarmUp, raw.iterations - 1));
  if (warm_up < 0 || warm_up >= raw.iterations)
    throw kaon::UsageError(
        fmt::format("--warm-up {}: give 0 to {}, fewer than all iterations", warm_up, raw.iterations - 1));
  if (raw.sends_only && (raw.tolerance > 0 || !raw.picture.empty()))
    throw kaon::UsageError("--sends-only computes nothing that --tolerance or --picture could look at");
  if (!std::isfinite(raw.tolerance) || raw.tolerance < 0)
    throw kaon::UsageError(fmt::format("--tolerance {}: give 0 or a positive number", raw.tolerance));
  const auto cells = parse_cells(raw.cells);
  const auto blocks = raw.blocks.empty() ? default_blocks(cells) : parse_triple("--blocks", raw.blocks);
  Options options{decompose(cells, blocks, memory_bytes()),
                  level_of(raw.level),
                  static_cast<int>(raw.iterations),
                  static_cast<int>(warm_up),
                  raw.streams,
                  launches_of(raw.launches),
                  raw.sends_only,
                  raw.tolerance,
                  raw.json,
                  raw.picture};
  for (const std::string& path : {options.json, options.picture})
    if (!path.empty()) examples::require_writable(path);
  return options;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments, bool has_devices) {
  CLI::App app(kPurpose, "jacobi3d");
  Raw raw;
  declare(app, raw);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::ParseError& error) {
    throw kaon::UsageError(std::string(error.what()) + " (try --help)");
  }
  return checked(raw, has_devices);
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
}

std::string options_help() {
  CLI::App app(kPurpose, "jacobi3d");
  Raw raw;
  declare(app, raw);
  return app.help();
}

Understood understand(const std::vector<std::string>& arguments, bool has_devices) {
  if (asks_for_help(arguments)) {
    std::printf("%s\n%s", options_help().c_str(), kaon::options_help().c_str());
    return {};
  }
  try {
    return {parse_options(arguments, has_devices)};
  } catch (const kaon::UsageError& error) {
    std::fprintf(stderr, "jacobi3d: %s\n", error.what());
    return {{}, kaon::runtime::kExitUsage};
  }
}

}  // namespace jacobi3d
