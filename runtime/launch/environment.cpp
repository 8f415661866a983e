// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/environment.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

// Variables that hold the number of processes, and those that tell only that there is a launcher.
constexpr std::array kCounts = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
constexpr std::array kRanks = {"PMIX_RANK", "PMI_RANK"};

std::optional<int> number(const ReadVariable& read, const char* name) {
  const char* value = read(name);
  if (value == nullptr) return std::nullopt;
  const std::string_view text(value);
  int found = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), found);
  if (error != std::errc() || end != text.end())
    throw UsageError(std::string(name) + "=" + value + " is not a number; it is set by the launcher, do not change it");
  return found;
}

[[noreturn]] void refuse(const std::string& sign) {
  throw UsageError(sign +
                   " says that a launcher has started several processes, which would not find each other; start "
                   "them with `kaonrun -n Q PROGRAM`, or unset it to run alone");
}

void refuse_other_launchers(const ReadVariable& read) {
  bool is_counted = false;
  for (const char* name : kCounts) {
    const std::optional<int> count = number(read, name);
    if (count.value_or(1) > 1) refuse(std::string(name) + "=" + read(name));
    is_counted = is_counted || count.has_value();
  }
  for (const char* name : kRanks)
    if (!is_counted && read(name) != nullptr) refuse(name);
}

}  // namespace

std::optional<int> inherited_socket(const ReadVariable& read) {
  if (const std::optional<int> socket = number(read, "KAON_BOOTSTRAP_FD")) return socket;
  if (number(read, "KAON_PROCESSES").value_or(1) > 1)
    throw UsageError(
        "this process belongs to a run of kaonrun, but the way to it was used up: a process joins its run "
        "once; to start a run of its own from here, unset KAON_PROCESSES");
  refuse_other_launchers(read);
  return std::nullopt;
}

}  // namespace kaon::launch
