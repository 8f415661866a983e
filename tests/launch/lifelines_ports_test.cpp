// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/lifeline_ends.hpp"

namespace kaon::testing::lifelines {

enum Outcome { said_so, not_said, no_network };

// In a network with one port, as on a host where all others are in use.
template <class Action>
Outcome with_one_port(Action action) {
  const pid_t other = fork();
  if (other == 0) {
    if (unshare(CLONE_NEWNET) != 0 ||
        std::system("ip link set lo up && echo 50001 50001 > /proc/sys/net/ipv4/ip_local_port_range") != 0)
      _exit(no_network);
    try {
      Losses losses;
      const auto root = make(0, 3, losses);
      action(*root, losses);
    } catch (const OutOfMemory& error) {
      _exit(std::string(error.what()).find("ip_local_port_range (50001 to 50001)") != std::string::npos ? said_so
                                                                                                        : not_said);
    } catch (...) {
    }
    _exit(not_said);
  }
  int status = -1;
  waitpid(other, &status, 0);
  return WIFEXITED(status) ? static_cast<Outcome>(WEXITSTATUS(status)) : not_said;
}

TEST_CASE("a process that gets no port to listen at, or to connect from, says so", "[launch][lifelines]") {
  const Outcome listening = with_one_port([](const Lifelines&, Losses& losses) { make(0, 3, losses); });
  if (listening == no_network) {
    WARN("not seen: root makes networks, where the system lets him");
    return;
  }
  CHECK(listening == said_so);
  CHECK(with_one_port([](const Lifelines& root, Losses& losses) { make(1, 3, losses)->hold(0, root.address()); }) ==
        said_so);
}

}  // namespace kaon::testing::lifelines
