// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/context/fiber.hpp>
#include <memory>
#include <string>
#include <vector>

#include "kaon/ampi_shim/program/program.hpp"
#include "kaon/ampi_shim/program/running_thread.hpp"

namespace kaon::ampi {

/// A rank of a test: its image on a stack of its own, and what it wrote. It gives way wherever the program calls
/// sched_yield().
struct TestRank {
  std::unique_ptr<ProgramImage> image;
  std::vector<std::string> arguments;
  boost::context::fiber fibre;
  boost::context::fiber scheduler;
  CaughtExceptions exceptions;  // go with the stack: the rank's, and while it runs the scheduler's
  std::string output;
  std::string errors;
  std::string input;
  bool has_aborted = false;
  bool has_ended = false;
  int code = 0;
};

/// Ranks that take turns on the thread that runs them.
class RanksOfThread {
 public:
  /// Hooks that know the owner of an image as a TestRank.
  static ProgramHooks hooks();

  explicit RanksOfThread(Program& program) : program_(program) {}
  void add(std::vector<std::string> arguments, std::string input = "");
  /// Until all have ended, each in turn to where it gives way.
  void run();
  /// The same, each turn in a thread of its own.
  void run_in_new_threads();
  /// Gives the images back; what the ranks wrote stays.
  void unload();
  const TestRank& operator[](std::size_t number) const { return *ranks_[number]; }
  std::size_t size() const { return ranks_.size(); }

 private:
  void start(TestRank& rank);
  /// Lets each rank that has not ended take a turn. Returns false if there was none.
  template <typename TakeTurn>
  bool take_turns(const TakeTurn& take_turn);

  Program& program_;
  std::vector<std::unique_ptr<TestRank>> ranks_;
};

/// Where the build has put a program of tests/ampi_shim/program/programs.
std::string loaded_program(const std::string& name);

}  // namespace kaon::ampi
