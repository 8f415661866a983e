// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/launched_run.hpp"

namespace kaon::testing {

/// True if this user can make hosts: root, on a system that permits it.
bool can_make_hosts();
/// The same as a question of a test, which says so and ends.
bool cannot_make_hosts();

/// Two hosts as namespaces of this one, each with a network, a name, shared memory and, the second one, processes of
/// its own, joined by a wire whose ends are the interface `kInterface`. They go with the object.
class Hosts {
 public:
  static constexpr const char* kInterface = "kaon0";
  static constexpr std::array kAddresses{"10.99.7.1", "10.99.7.2"};

  Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;
  ~Hosts();

  struct Where {
    bool is_local = false;               // all on the first host
    std::string second = kAddresses[1];  // what the second host is called
    std::string interface = kInterface;
  };

  /// mpirun, called on the first host, of two processes on each.
  [[nodiscard]] std::vector<std::string> mpirun(const std::vector<std::string>& program) const;
  [[nodiscard]] std::vector<std::string> mpirun(const std::vector<std::string>& program, const Where& where) const;
  /// Bytes that have gone over the wire, in both directions.
  [[nodiscard]] long wire_bytes() const;
  /// Until so many more have gone.
  void wait_for_traffic(long bytes) const;
  /// How often TCP has met with something on both hosts, by the system's name for it, as in "TCPTimeouts"; and until it
  /// has so often again.
  [[nodiscard]] long count(const std::string& event) const;
  void wait_for(const std::string& event, long times) const;
  /// Where both hosts see the same files.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// Until the wire is up at its end there, which the system says a moment after it is.
  void wait_until_carried(int host, const std::string& interface = kInterface) const;
  /// A command that runs on a host.
  [[nodiscard]] std::vector<std::string> on(int host, const std::vector<std::string>& command) const;
  /// The second host goes, with all that runs there.
  void kill_second();
  /// To all processes of a program on the second host: "STOP", "CONT".
  void signal_second(const std::string& signal, const std::string& program) const;
  /// The end of the wire at this host is unplugged; the other host sees a link without a carrier.
  void cut_wire(int host = 0) const;
  void mend_wire(int host = 0) const;
  /// It carries 100 Mbit/s each way, loses what does not fit its short queue, and one packet in fifty by chance. False:
  /// this system has not what it takes.
  [[nodiscard]] bool spoil_wire() const;

 private:
  void start(int host, const std::vector<std::string>& more);
  void join() const;
  void write_agent() const;
  [[nodiscard]] long count_on(int host, const std::string& event) const;
  [[nodiscard]] std::string agent() const { return folder_ + "/agent"; }

  std::string folder_;
  std::array<std::unique_ptr<LaunchedRun>, 2> hosts_;
  std::array<std::string, 2> pids_;  // of a process in each
};

}  // namespace kaon::testing
