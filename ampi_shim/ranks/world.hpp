// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/ampi_shim/ranks/once_per_run.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"
#include "kaon/ampi_shim/ranks/stack_pool.hpp"
#include "kaon/chares/runtime.hpp"

namespace kaon::ampi {

class Program;
class Rank;

struct WorldOptions {
  int ranks = 1;
  std::size_t stack_bytes = std::size_t{8} << 20;
  bool has_labels = false;    // each line of output begins with the number of its rank
  std::string shared_folder;  // of the processes of this host; empty: there are no others
  bool is_crowded = false;    // more PEs than cores: whoever looks for something in a loop lets other threads run
};

/// The state that all ranks of a process have in common: how many there are in the run, what they run, their stacks.
/// These do not change while ranks live.
class World {
 public:
  /// The function that a rank runs on its own stack; returns its exit code.
  using Main = std::function<int(Rank&)>;
  /// Ends the run with a code and a text; does not return.
  using Abort = std::function<void(int code, const std::string& text)>;

  World(const WorldOptions& options, Main main, Abort abort);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  /// The one of this process, which must be there.
  static World& get();

  int ranks() const { return options_.ranks; }
  const WorldOptions& options() const { return options_; }
  const Main& main() const { return main_; }
  StackPool& stacks() { return stacks_; }
  /// Smaller stacks, on which no code of the program runs but operations of reductions.
  StackPool& helper_stacks() { return helper_stacks_; }
  /// Prints a line on standard error, unless another rank has printed one of this name. Any thread.
  void print_once(const std::string& name, const std::string& text);
  /// The run ends with an error, also when its programs end with 0. A rank calls it.
  void fail_at_end() { fails_at_end_.store(true, std::memory_order_relaxed); }
  bool fails_at_end() const { return fails_at_end_.load(std::memory_order_relaxed); }
  /// The program's images, when it is loaded by program/; nullptr: `main` is all there is.
  Program* program = nullptr;

  [[noreturn]] void abort(int code, const std::string& text) const;

  // --- on PE 0
  /// A rank has ended with this code.
  void rank_has_ended(int code);
  bool have_all_ended() const { return ended_ == options_.ranks; }
  /// The first that was not 0.
  int code() const { return code_; }
  void await_ends(Waiter& waiter) { waiter_ = &waiter; }
  void forget_waiter() { waiter_ = nullptr; }

 private:
  static World* the_world;

  WorldOptions options_;
  Main main_;
  Abort abort_;
  StackPool stacks_;
  StackPool helper_stacks_;
  OncePerRun printed_;
  std::atomic<bool> fails_at_end_ = false;  // relaxed: the rank that has set it asks for it
  int ended_ = 0;
  int code_ = 0;
  Waiter* waiter_ = nullptr;
};

/// The main task: makes the ranks, runs their programs, and gives the exit code of the run when all have ended.
Task<int> run_ranks(Runtime& runtime);

}  // namespace kaon::ampi
