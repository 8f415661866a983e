// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

#include "kaon/testing/network.hpp"

namespace kaon::testing {

/// A run of chares inside one thread: processes over a LoopbackNetwork, whose seed chooses who runs and what arrives,
/// and main tasks of the test.
class Scene {
 public:
  /// Kept until the scene goes, so that it may be a lambda that captures.
  using MainTask = std::function<Task<>(Runtime&)>;

  explicit Scene(const Network::Shape& shape = {2, 2}, const Options& options = default_options(),
                 std::uint64_t seed = 1);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Runs a task on a PE to its end. Throws what leaves it or any entry, and when it does not end.
  void run(MainTask main_task, PeId pe = 0);
  /// Starts a task, which goes on when the scene runs.
  void start(MainTask main_task, PeId pe = 0);
  bool all_ended() const;
  /// Throws what has left a main task that was started and has ended.
  void rethrow() const;

  /// Describes, for people, the tasks that wait and what they wait for: a line each.
  std::string waits();

  Network& network() { return network_; }

 private:
  class Root;
  Network network_;
  std::vector<std::unique_ptr<Root>> roots_;
};

/// The default options with one changed.
template <class T>
Options with(T Options::*member, T value) {
  Options options = default_options();
  options.*member = value;
  return options;
}

}  // namespace kaon::testing
