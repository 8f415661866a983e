// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "kaon/chares/migration/balancing.hpp"
#include "kaon/chares/migration/step_costs.hpp"
#include "kaon/chares/migration/strategy.hpp"
#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/result.hpp"

namespace kaon::chares {

class StepWait;

/// The leader of the balancing of an array, on the PE that has begun it. See Balancing.
class BalancingCentre {
 public:
  explicit BalancingCentre(ElementTable& table);
  BalancingCentre(const BalancingCentre&) = delete;
  BalancingCentre& operator=(const BalancingCentre&) = delete;
  ~BalancingCentre();

  void set_strategy(Strategy strategy) { strategy_ = std::move(strategy); }
  const BalancingReport& report() const { return kept_; }
  /// A step of main's. Throws UsageError when one is under way.
  void begin(StepWait& asker);
  void forget(StepWait& asker) noexcept;
  void array_ends();

  // --- what PEs say
  void ready(PeId from, std::uint64_t version);
  void answer(LoadAnswer answer);
  void sent(PeId from, std::uint64_t count, const std::vector<PeLoad>& given);
  void landed(std::uint64_t count);

 private:
  enum class Phase : std::uint8_t { idle, asking, moving };
  using Clock = std::chrono::steady_clock;
  struct Part {  // a PE's
    bool is_ready = false;
    std::uint64_t version = 0;  // of its last word of readiness
    std::uint64_t answer_version = 0;
    bool was_complete = false;
    std::uint64_t changes = 0;                         // as it last said
    std::uint64_t changes_of_sum = ~std::uint64_t{0};  // when all were last found to be at the barrier
    double seconds = 0;                                // of its elements, and then as they are to be
  };

  void look();
  void ask(bool is_of_barrier, bool wants_loads);
  bool are_all_at_barrier() const;
  bool confirm_sum();
  void wait_on();
  const Strategy& strategy() const;
  void decide();
  void decide_by_report();
  void begin_gossip();
  std::vector<PeId> places_by(const Strategy& strategy) const;
  void begin_moves();
  void order(const std::vector<PeId>& places);
  void look_at_moves();
  void finish();
  void fail(const std::string& error);
  void go_on(const std::string& error);
  void note_step();
  double most() const;

  ElementTable& table_;
  Strategy strategy_;
  std::vector<Part> parts_;
  Phase phase_ = Phase::idle;
  bool has_news_ = false;  // of readiness, since PEs were last asked
  bool is_of_barrier_ = false;
  bool is_begun_ = false;      // a step of main's is under way or waits for its turn
  StepWait* asker_ = nullptr;  // nullptr: the elements have asked, or main waits no longer
  PeId answers_ = 0;
  std::uint64_t arrived_ = 0;
  std::int64_t population_ = 0;
  LoadReport report_;
  PeId sent_words_ = 0;
  std::uint64_t sent_ = 0, landed_ = 0;
  Clock::time_point begin_;
  BalanceStep step_;
  BalancingReport kept_;
  std::uint32_t steps_ = 0;  // of all kinds, also those that failed
  StepCosts costs_;
};

/// main's wait for a step.
class StepWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = false;
  StepWait(ElementTable& table, Strategy strategy) : table_(table), strategy_(std::move(strategy)) {}
  StepWait(const StepWait&) = delete;
  StepWait& operator=(const StepWait&) = delete;

  bool is_ready() const noexcept { return false; }
  bool start(Waiter& waiter);
  void give_up(Waiter& waiter) noexcept;
  BalanceStep take() { return result_.take(); }
  std::string describe() const { return "for a step of balancing"; }

 private:
  friend class BalancingCentre;
  void end();

  ElementTable& table_;
  Strategy strategy_;
  BalancingCentre* centre_ = nullptr;  // while it waits
  Waiter* waiter_ = nullptr;
  Result<BalanceStep> result_;
};

}  // namespace kaon::chares
