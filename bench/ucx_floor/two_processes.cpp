// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/two_processes.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

namespace kaon::bench {

int run_in_two_processes(const char* program, const std::function<void(int socket, bool is_first)>& measure) {
  const auto run_as = [&](int socket, bool is_first) {
    try {
      measure(socket, is_first);
      return 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", program, error.what());
      return 1;
    }
  };
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return std::perror("socketpair"), 1;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return std::perror("fork"), 1;
  close(sockets[child == 0 ? 0 : 1]);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 1;  // it ended before that took hold
    return run_as(sockets[1], false);
  }
  const int failed = run_as(sockets[0], true);
  if (failed != 0) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return failed != 0 || status != 0 ? 1 : 0;
}

}  // namespace kaon::bench
