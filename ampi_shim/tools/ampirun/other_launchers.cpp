// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/tools/ampirun/other_launchers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

struct OtherOption {
  std::string_view name;  // without dashes: Open MPI takes --host and -host
  const char* replacement;
};

constexpr const char* kHosts = "ampirun starts all processes on this machine: leave it out";
constexpr const char* kCores =
    "ampirun gives each PE a core of its own if there are enough: leave it out; --no-pin leaves the PEs unbound, and "
    "taskset in front of ampirun chooses the cores";
constexpr const char* kMapping =
    "--ranks-per-process 4 or --processes 2 chooses the processes, and --pes 2 the threads in each";
constexpr const char* kEnvironment =
    "all ranks have the environment of ampirun: leave it out, and set variables in front, as in NAME=VALUE ampirun ...";
constexpr const char* kFolder = "all ranks start in the folder of ampirun: use cd before it";
constexpr const char* kLabels = "--label begins each line of output with the number of its rank";
constexpr const char* kSettings = "it sets parameters of Open MPI, which Kaon does not have: leave it out";

constexpr std::array kOthers{
    OtherOption{"host", kHosts},
    OtherOption{"hosts", kHosts},
    OtherOption{"H", kHosts},
    OtherOption{"hostfile", kHosts},
    OtherOption{"machinefile", kHosts},
    OtherOption{"default-hostfile", kHosts},
    OtherOption{"f", kHosts},
    OtherOption{"bind-to", kCores},
    OtherOption{"bind-to-core", kCores},
    OtherOption{"rank-by", kCores},
    OtherOption{"cpu-set", kCores},
    OtherOption{"report-bindings", "--log-level info prints whether each PE has a core of its own"},
    OtherOption{"map-by", kMapping},
    OtherOption{"npernode", kMapping},
    OtherOption{"N", kMapping},
    OtherOption{"ppn", kMapping},
    OtherOption{"x", kEnvironment},
    OtherOption{"env", kEnvironment},
    OtherOption{"genv", kEnvironment},
    OtherOption{"genvlist", kEnvironment},
    OtherOption{"genvall", kEnvironment},
    OtherOption{"wdir", kFolder},
    OtherOption{"wd", kFolder},
    OtherOption{"tag-output", kLabels},
    OtherOption{"prepend-rank", kLabels},
    OtherOption{"l", kLabels},
    OtherOption{"mca", kSettings},
    OtherOption{"gmca", kSettings},
};

// ampirun runs more ranks than cores, and runs for every user.
constexpr std::array<std::string_view, 4> kSatisfied{"--oversubscribe", "-oversubscribe", "--allow-run-as-root",
                                                     "-allow-run-as-root"};

/// Empty for an argument that is no option. One letter has one dash.
std::string_view name_of(std::string_view argument) {
  const std::string_view option = argument.substr(0, argument.find('='));
  const std::size_t dashes = std::min(option.find_first_not_of('-'), option.size());
  const bool is_option = dashes == 1 || (dashes == 2 && option.size() > 3);
  return is_option ? option.substr(dashes) : std::string_view();
}

}  // namespace

bool is_always_satisfied(const std::string& argument) {
  return std::ranges::find(kSatisfied, argument) != kSatisfied.end();
}

void refuse_option_of_other_launcher(const std::string& argument) {
  const std::string_view name = name_of(argument);
  const auto* const found = std::ranges::find(kOthers, name, &OtherOption::name);
  if (name.empty() || found == kOthers.end()) return;
  throw runtime::UsageError(argument + " is an option of other MPI launchers, not of ampirun: " + found->replacement);
}

}  // namespace kaon::ampi
