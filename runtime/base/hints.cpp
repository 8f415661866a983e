// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/hints.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "kaon/runtime/base/options.hpp"

namespace kaon::runtime {
namespace {

// Those that no option of a program has: kaonrun's, and ./dev's.
constexpr std::array kOtherVariables{"KAON_PEER_TIMEOUT",     "KAON_PROCESS",       "KAON_PROCESSES",
                                     "KAON_BOOTSTRAP_FD",     "KAON_JOBS",          "KAON_FUZZ_SECONDS",
                                     "KAON_PROGRESS_SECONDS", "KAON_TIMEOUT_START", "KAON_PMIX_LIBRARY",
                                     "KAON_JOINED",           "KAON_TESTING"};
constexpr std::array kKaonrunOptions{"-n", "--processes", "--timeout-start", "--peer-timeout", "--label"};
// Without the signs in front; the first that the word begins with is meant.
struct OptionOfCharm {
  std::string_view name;
  const char* here;
};
constexpr const char* kPesHere = "--pes 4 behind the program, the PEs of each process: kaonrun -n 2 PROGRAM --pes 4";
constexpr std::array kOptionsOfCharm{
    OptionOfCharm{"ppn", kPesHere},
    OptionOfCharm{"pemap", "taskset in front of the command, or --no-pin, which leaves it to the system where PEs run"},
    OptionOfCharm{"setcpuaffinity", "the usual case: each PE has a core of its own where there are enough"},
    OptionOfCharm{"balancer", "chosen in the program: see balance() in the guide"},
    OptionOfCharm{"local", "the usual case: kaonrun -n 2 PROGRAM starts the processes on this machine"},
    OptionOfCharm{"nodelist", "the hosts of another launcher: mpirun --host, srun"},
    OptionOfCharm{"n", "kaonrun -n 2 PROGRAM, the number of processes"},
    OptionOfCharm{"p", kPesHere},
};
// Of earlier versions.
struct Removed {
  std::string_view option, variable;
  const char* instead;
};
constexpr std::array kRemoved{
    Removed{"--fan-out", "KAON_FAN_OUT",
            "kaonrun starts and watches all processes itself; leave it out. For runs on many hosts, use prterun"},
    Removed{"--payload-counter-bits", "KAON_PAYLOAD_COUNTER_BITS",
            "for tests, set KAON_TESTING=payload_counter_bits=6 in the environment"},
    Removed{"", "KAON_STAGE_THROUGH", "set KAON_TESTING=stage_through=network in the environment"},
    Removed{"", "KAON_UCX_HOST", "set KAON_TESTING=ucx_host=tag in the environment"},
};
constexpr std::string_view kPrefix = "KAON_";
constexpr std::size_t kMostSlips = 3;

std::vector<std::string> known_variables() {
  std::vector<std::string> names = option_variables();
  names.insert(names.end(), kOtherVariables.begin(), kOtherVariables.end());
  return names;
}

// Letters to be put in, left out or changed to make one of the other.
std::size_t slips_between(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t changed = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// One that goes on where the other ends is near: KAON_QUEUE_LIMIT and KAON_QUEUE_LIMIT_MIB.
std::size_t distance(const std::string& one, const std::string& other) {
  const bool goes_on = one.starts_with(other + "_") || other.starts_with(one + "_");
  return goes_on ? 1 : slips_between(one, other);
}

std::string option_name(std::string_view option) { return std::string(option.substr(0, option.find('='))); }

}  // namespace

std::vector<std::string> misspelt_variables(const char* const* environment) {
  std::vector<std::string> known;
  std::vector<std::string> said;
  for (; *environment != nullptr; ++environment) {
    if (!std::string_view(*environment).starts_with(kPrefix)) continue;
    if (known.empty()) known = known_variables();
    const std::string name = option_name(*environment);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (const std::string hint = hint_at_removed(name); !hint.empty()) {
      said.push_back("the variable " + hint);
      continue;
    }
    const auto nearest = std::min_element(known.begin(), known.end(), [&name](const auto& one, const auto& other) {
      return distance(name, one) < distance(name, other);
    });
    if (distance(name, *nearest) <= kMostSlips)
      said.push_back("the variable " + name + " means nothing to Kaon; is it " + *nearest + " that you mean?");
  }
  return said;
}

std::string hint_at_kaonrun(std::string_view option) {
  const std::string name = option_name(option);
  if (std::find(kKaonrunOptions.begin(), kKaonrunOptions.end(), name) == kKaonrunOptions.end()) return {};
  return name + " is an option of kaonrun, which starts the processes: kaonrun -n 4 PROGRAM [its arguments]";
}

std::string hint_at_program(std::string_view option) {
  const std::string name = option_name(option);
  if (!is_option(name)) return {};
  return name + " is an option of the program, so it comes behind it: kaonrun -n 4 PROGRAM " + name + " ...";
}

std::string hint_at_removed(std::string_view word) {
  const std::string name = option_name(word);
  for (const Removed& removed : kRemoved)
    if (!name.empty() && (name == removed.option || name == removed.variable))
      return name + " is gone: " + removed.instead;
  return {};
}

std::string hint_at_option_of_charm(std::string_view word) {
  if (!word.starts_with("+")) return {};
  const std::string_view name = word.substr(word.find_first_not_of('+') != word.npos ? word.find_first_not_of('+') : 0);
  for (const OptionOfCharm& option : kOptionsOfCharm)
    if (name.starts_with(option.name)) return std::string(word) + " is an option of Charm++; here it is " + option.here;
  return {};
}

}  // namespace kaon::runtime
