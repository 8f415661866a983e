// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "kaon/runtime/base/options.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/testing/loopback.hpp"

namespace kaon::testing {

/// The options of a program that was given none: those of the environment, so that --serialize-always reaches tests.
Options default_options();

/// Several processes in this thread over a LoopbackNetwork. The test, or a seed, says which PE runs and what arrives.
/// Time goes as the test goes, however fast the machine is: kStep with every step of the seeded order, and to the next
/// timer when nothing else is there to be done.
class Network {
 public:
  struct Shape {
    Shape(int process_count = 2, int pes_of_each = 1, std::vector<int> host_numbers = {})
        : processes(process_count), pes_per_process(pes_of_each), hosts(std::move(host_numbers)) {}
    int processes;
    int pes_per_process;
    std::vector<int> hosts;  // by process, the host it plays to be on; none: all on one
  };
  explicit Network(const Shape& shape, const Options& options = default_options(), std::uint64_t seed = 1);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  Pe& pe(PeId id);
  PeId pes() const;
  const Roster& roster() const { return processes_.front()->roster(); }
  LoopbackNetwork& wire() { return wire_; }
  std::mt19937_64& random() { return random_; }

  /// Runs `action` as the thread of this PE.
  template <class Action>
  decltype(auto) on(PeId id, Action action) {
    const CurrentPe current(pe(id));
    return action(pe(id));
  }

  /// One PE's turn: up to `most` pieces of work, and its network. False: it had nothing to do.
  bool run(PeId id, int most = 1000);
  /// Turns of all PEs until none has anything to do; delivers nothing.
  void run_all();
  /// Lets time go by for all PEs: timers that are due then run in their PEs' next turns.
  void pass(std::chrono::nanoseconds time) { time_ += time; }

  /// Delivers and runs in seeded order until `is_done`. False: after `most_steps` it was not.
  bool run_until(const std::function<bool()>& is_done, int most_steps = 200'000);
  /// Delivers and runs in seeded order until nothing is under way. Timers do not count.
  void run_until_idle();

  /// Sets whether batches of a lane may overtake each other in the seeded order.
  void set_order(LoopbackNetwork::Order order) { order_ = order; }

 private:
  static constexpr std::chrono::microseconds kStep{1};
  /// False: there was nothing to do.
  bool step();
  bool is_still();
  void pass_to_next_timer();

  std::mt19937_64 random_;
  Timers::Time time_{std::chrono::hours{1}};
  LoopbackNetwork wire_;
  LoopbackNetwork::Order order_ = LoopbackNetwork::Order::lanes_in_order;
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace kaon::testing
