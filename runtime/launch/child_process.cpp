// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/no_thread.hpp"

namespace kaon::launch {
namespace {

// Of a pipe or a socket pair between this process and another, which does not inherit them by itself.
struct Ends {
  Descriptor ours;
  Descriptor theirs;
};

Ends make_socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UsageError(std::string("cannot open a socket pair for each process: ") + std::strerror(errno) +
                     "; start fewer processes, or raise `ulimit -n`");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Ends make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw UsageError(std::string("cannot open a pipe: ") + std::strerror(errno) + "; raise `ulimit -n`");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// As fork(), of a process that is killed when this one dies.
pid_t fork_to_die_with_us() {
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) runtime::throw_no_thread("another process", std::system_error(errno, std::generic_category()));
  if (pid > 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kExitLostPeer);  // it died before the line above
  return 0;
}

// A process in another group than the terminal's may not read from it. So the one that has our standard input stays in
// our group when that is a terminal, and gets a ctrl-C together with us; all others hear of it from us only.
bool wants_own_group(const ChildPlan& plan) { return plan.process != 0 || isatty(STDIN_FILENO) == 0; }

void set_variable(const char* name, int value) { setenv(name, std::to_string(value).c_str(), 1); }

void set_environment(const ChildPlan& plan, int socket) {
  set_variable("KAON_BOOTSTRAP_FD", socket);
  set_variable("KAON_PROCESS", plan.process);
  set_variable("KAON_PROCESSES", plan.processes);
  // UCX takes SIGHUP before main, also where nohup has had it ignored, to begin to log.
  setenv("UCX_DEBUG_SIGNO", "0", 0);
}

void reset_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGUSR1}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Standard input has one reader. The others get an empty one: a closed descriptor 0 would be given to the next socket.
void close_input() {
  const int empty = open("/dev/null", O_RDONLY);
  dup2(empty, STDIN_FILENO);
  if (empty != STDIN_FILENO) close(empty);
}

// In the new process, up to its program.
[[noreturn]] void become(const ChildPlan& plan, bool has_own_group, int socket, int report) {
  if (has_own_group) setpgid(0, 0);
  reset_signals();
  if (plan.process != 0) close_input();
  plan.outputs.take();
  setrlimit(RLIMIT_NOFILE, &plan.descriptors);
  set_environment(plan, socket);
  fcntl(socket, F_SETFD, 0);  // the only descriptor of ours that it inherits
  std::vector<char*> arguments;
  arguments.reserve(plan.command.size() + 1);
  for (const std::string& argument : plan.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  if (write(report, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

// 0: the program runs, which has closed the other end.
int read_error(int report) {
  int error = 0;
  ssize_t bytes = 0;
  do bytes = read(report, &error, sizeof error);
  while (bytes < 0 && errno == EINTR);
  return bytes == static_cast<ssize_t>(sizeof error) ? error : 0;
}

}  // namespace

void ChildOutputs::take() const {
  if (output.is_open()) dup2(output.number(), STDOUT_FILENO);
  if (are_one) dup2(STDOUT_FILENO, STDERR_FILENO);
  if (errors.is_open()) dup2(errors.number(), STDERR_FILENO);
}

ChildProcess ChildProcess::start(const ChildPlan& plan) {
  Ends sockets = make_socket_pair();
  Ends report = make_pipe();
  const bool has_own_group = wants_own_group(plan);
  const pid_t pid = fork_to_die_with_us();
  if (pid == 0) become(plan, has_own_group, sockets.theirs.number(), report.theirs.number());
  return {pid, has_own_group, std::move(sockets.ours), std::move(report.ours)};
}

void ChildProcess::check_program(const std::string& program) {
  pollfd polled{report_.number(), POLLIN, 0};
  if (!report_.is_open() || poll(&polled, 1, 0) <= 0) return;
  const int error = read_error(report_.number());
  report_.close();
  if (error == 0) return;
  reap();
  throw UsageError("cannot run " + program + ": " + std::strerror(error) + "; give the path of an executable file");
}

void ChildProcess::kill(int signal) const {
  if (is_reaped_) return;
  const bool has_group = has_own_group_ && ::kill(-pid_, signal) == 0;
  if (!has_group || signal == SIGKILL) ::kill(pid_, signal);  // it may have gone to another group
}

std::optional<ExitStatus> ChildProcess::ended() const {
  if (is_reaped_) return std::nullopt;
  siginfo_t info{};
  const int result = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (result != 0 || info.si_pid != pid_) return std::nullopt;
  return info.si_code == CLD_EXITED ? ExitStatus{info.si_status, 0} : ExitStatus{0, info.si_status};
}

void ChildProcess::reap() {
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  is_reaped_ = true;
}

}  // namespace kaon::launch
