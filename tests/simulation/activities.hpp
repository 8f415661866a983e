// SPDX-License-Identifier: Apache-2.0
// What happens in a simulated program: each activity is a main task of some PE, beside others, and checks what it can
// know at once. The ledger knows the rest.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include <kaon/kaon.hpp>

namespace kaon::testing::simulation {

struct Activity {
  std::string_view name;
  Task<> (*run)(Runtime& runtime, std::uint64_t seed);
};

/// All that there are, in an order that stays.
std::span<const Activity> activities();

namespace acts {

// with the actors of the stage
Task<> write_letters(Runtime& runtime, std::uint64_t seed);
Task<> ask(Runtime& runtime, std::uint64_t seed);
Task<> give_up_waits(Runtime& runtime, std::uint64_t seed);
Task<> broadcast(Runtime& runtime, std::uint64_t seed);
Task<> count_all(Runtime& runtime, std::uint64_t seed);
Task<> end_and_insert(Runtime& runtime, std::uint64_t seed);
Task<> make_section(Runtime& runtime, std::uint64_t seed);
Task<> call_back(Runtime& runtime, std::uint64_t seed);
Task<> complete_group(Runtime& runtime, std::uint64_t seed);
Task<> rebalance(Runtime& runtime, std::uint64_t seed);
Task<> await_quiescence(Runtime& runtime, std::uint64_t seed);

// with chares of their own
Task<> make_singles(Runtime& runtime, std::uint64_t seed);
Task<> take_census(Runtime& runtime, std::uint64_t seed);
Task<> walk_balanced(Runtime& runtime, std::uint64_t seed);
Task<> fail_to_make_array(Runtime& runtime, std::uint64_t seed);
Task<> destroy_array(Runtime& runtime, std::uint64_t seed);
Task<> live_together(Runtime& runtime, std::uint64_t seed);
Task<> count_in_order(Runtime& runtime, std::uint64_t seed);

}  // namespace acts
}  // namespace kaon::testing::simulation
