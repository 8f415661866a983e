// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/forked.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/no_thread.hpp"

namespace kaon::launch {

Ends make_socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UsageError(std::string("cannot open a socket pair for each process: ") + std::strerror(errno) +
                     "; start fewer processes, or raise `ulimit -n`");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

pid_t fork_to_die_with_us() {
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) runtime::throw_no_thread("another process", std::system_error(errno, std::generic_category()));
  if (pid > 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kExitLostPeer);  // it died before the line above
  return 0;
}

void reap(pid_t child) {
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace kaon::launch
