// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "tests/support/catch.hpp"

namespace kaon::testing {

inline constexpr int kGood = 7;  // not 0: the main task must have said so
inline int good_if(bool is_good) { return is_good ? kGood : 1; }

/// Returns the result of kaon::run() with these options.
inline int run_with(std::vector<std::string> options, MainTask main_task) {
  options.insert(options.begin(), "test");
  options.emplace_back("--no-pin");
  std::vector<char*> argv;
  for (std::string& option : options) argv.push_back(option.data());
  return kaon::run(static_cast<int>(argv.size()), argv.data(), std::move(main_task));
}

/// Checks that a main task says so, on each of these numbers of PEs.
inline void check_with_pes(std::initializer_list<const char*> numbers, const MainTask& main_task,
                           const std::vector<std::string>& more = {}) {
  for (const char* const pes : numbers) {
    std::vector<std::string> options{"--pes", pes};
    options.insert(options.end(), more.begin(), more.end());
    CAPTURE(options);
    CHECK(run_with(options, main_task) == kGood);
  }
}

}  // namespace kaon::testing
