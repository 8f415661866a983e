// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kaon/testing.hpp>

namespace kaon::testing::simulation {

/// An activity, and the PE whose main task it is.
struct Act {
  std::size_t activity = 0;  // of activities()
  std::uint64_t seed = 0;
  PeId pe = 0;
};

/// A program of rounds: acts of a round go on at once, and behind it all is calm. With the seed that says who runs and
/// what arrives when it is a run that can be repeated.
struct Plan {
  std::uint64_t stage_seed = 0;
  std::uint64_t order_seed = 0;
  Network::Shape shape;
  bool is_any_order = false;    // of delivery
  bool copies_at_once = false;  // as a network does for small messages
  bool serializes_always = false;
  int credits = 64;
  int slow_links = 0;  // in 100, of those between two PEs: what goes there waits for a while
  std::vector<std::vector<Act>> rounds;

  static Plan from_seed(std::uint64_t seed);
  std::string text() const;
};

/// An activity that is none of activities(), and whose letter never comes: for tests of what finds faults.
inline constexpr std::size_t kFaultyActivity = ~std::size_t{0};

/// The result of a run, beside its faults.
struct Outcome {
  std::size_t messages = 0;  // that were noted
};

/// Runs it. What went wrong, or nothing.
std::optional<std::string> fault_of(const Plan& plan, Outcome* outcome = nullptr);

/// A plan with fewer acts and simpler circumstances that has a fault, too; `most_runs` are tried.
Plan smaller(const Plan& plan, int most_runs);

}  // namespace kaon::testing::simulation
