// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/launched_run.hpp"

namespace kaon::testing {

/// Whether this user may make hosts: root, on a system that lets him.
bool can_make_hosts();

/// Two hosts as namespaces of this one, each with a network, a name, shared memory and, the second one, processes of
/// its own, joined by a wire whose ends are the interface `kInterface`. They go with the object.
class Hosts {
 public:
  static constexpr const char* kInterface = "kaon0";

  Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;
  ~Hosts();

  /// mpirun, called on the first host, of two processes on each, or, with `is_local`, on the first alone.
  [[nodiscard]] std::vector<std::string> mpirun(const std::vector<std::string>& program, bool is_local = false) const;
  /// Bytes that have gone over the wire, in both directions.
  [[nodiscard]] long wire_bytes() const;
  /// The second host goes, with all that runs there.
  void kill_second();
  void cut_wire() const;

 private:
  void start(int host, const std::vector<std::string>& more);
  void join() const;
  void wait_until_carried(int host) const;
  void write_agent() const;
  [[nodiscard]] std::vector<std::string> on(int host, const std::vector<std::string>& command) const;
  [[nodiscard]] std::string agent() const { return folder_ + "/agent"; }

  std::string folder_;
  std::array<std::unique_ptr<LaunchedRun>, 2> hosts_;
  std::array<std::string, 2> pids_;  // of a process in each
};

}  // namespace kaon::testing
