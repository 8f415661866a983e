// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/launcher.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "kaon/runtime/base/descriptors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/make_secret.hpp"

namespace kaon::launch {
namespace {

// How late a time limit may be noticed.
constexpr int kRoundMs = 200;

auto now() { return std::chrono::steady_clock::now(); }

// Also what our parent has told us to ignore: a script's background job must end when it is interrupted by name. Only a
// hang-up stays ignored, as nohup wants it.
Descriptor take_signals() {
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD}) {
    std::signal(signal, SIG_DFL);
    sigaddset(&wanted, signal);
  }
  if (hang_up.sa_handler != SIG_IGN) sigaddset(&wanted, SIGHUP);
  std::signal(SIGPIPE, SIG_IGN);  // our words may have no reader; the run goes on
  sigprocmask(SIG_BLOCK, &wanted, nullptr);
  Descriptor signals(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.is_open()) throw UsageError(std::string("cannot open a signal descriptor: ") + std::strerror(errno));
  return signals;
}

// Somebody wants the run to end; the signal stays where it is.
bool is_told_to_end() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

// For each process a socket, its output and errors, and until its program runs a report; and some that come and go.
std::size_t needed_descriptors(int processes) { return 4 * static_cast<std::size_t>(processes) + 10; }

// Of a line of what the system tells about a process; 0: it does not.
pid_t number_in_status(pid_t pid, const std::string& wanted) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(wanted)) return std::atoi(line.c_str() + wanted.size());
  return 0;
}

bool is_below_us(pid_t pid) {
  constexpr int kMostLevels = 64;
  for (int level = 0; level < kMostLevels && pid > 1; ++level) {
    pid = number_in_status(pid, "PPid:");
    if (pid == getpid()) return true;
  }
  return false;
}

}  // namespace

Launcher::Launcher(RunPlan plan, Limits limits)
    : plan_(std::move(plan)),
      start_limit_(now() + limits.start),
      signals_(take_signals()),
      descriptors_(reserve_descriptors(needed_descriptors(plan_.processes), "this run")),
      outputs_(plan_.processes, plan_.has_labels),
      supervisor_(plan_.processes, limits, {{}, make_secret(), folder_.shared()}, *this, now()) {}

int Launcher::run() {
  start_all();
  while (!supervisor_.is_over()) {
    wait_for_events();
    supervisor_.begin_round(now());
    // A ctrl-C reaches process 0 at the same time; that it dies of it is not news.
    const bool has_child_ended = read_signals();
    if (has_child_ended) reap_all(true);  // what others say of a process that was killed is the consequence
    read_all();
    serve_outputs();
    if (has_child_ended) reap_all(false);
    supervisor_.end_round();
  }
  write_out();
  return supervisor_.exit_code();
}

void Launcher::start_all() {
  try {
    for (int process = 0; process < plan_.processes; ++process) start(process);
    wait_for_programs();
  } catch (...) {
    for (Child& child : children_) child.process.kill(SIGKILL);
    for (Child& child : children_) child.process.reap();
    throw;
  }
}

void Launcher::start(int process) {
  const ChildOutputs outputs = outputs_.open(process);
  ChildProcess child = ChildProcess::start({plan_.command, outputs, descriptors_, process, plan_.processes});
  Connection connection(child.take_socket());
  children_.push_back({std::move(child), std::move(connection)});
  supervisor_.on_started(process, children_.back().process.pid());
}

// One that does not come to its program is left to the limit of the start, or to who interrupts us.
void Launcher::wait_for_programs() {
  for (Child& child : children_)
    while (!child.process.wait_for_program(plan_.command.front(), kRoundMs))
      if (is_told_to_end() || now() > start_limit_) return;
}

void Launcher::wait_for_events() {
  polled_.clear();
  polled_.push_back({signals_.number(), POLLIN, 0});
  for (const Child& child : children_) {
    const int events = POLLIN | (child.connection.has_unsent() ? POLLOUT : 0);
    polled_.push_back({child.connection.descriptor(), static_cast<short>(events), 0});  // a negative one is ignored
  }
  outputs_.add_to(polled_, supervisor_.is_ending());
  poll_set_.wait(polled_, outputs_.wait_ms(now(), kRoundMs));
}

// True: a process has ended.
bool Launcher::read_signals() {
  bool has_child_ended = false;
  signalfd_siginfo signal{};
  while (::read(signals_.number(), &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal))
    if (signal.ssi_signo == SIGCHLD)
      has_child_ended = true;
    else
      supervisor_.on_signal(static_cast<int>(signal.ssi_signo));
  return has_child_ended;
}

void Launcher::read_all() {
  for (int process = 0; process < plan_.processes; ++process) {
    const short events = polled_[static_cast<std::size_t>(process) + 1].revents;
    if ((events & POLLOUT) != 0) children_[static_cast<std::size_t>(process)].connection.flush();
    if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) read(process);
  }
}

void Launcher::read(int process) {
  Connection& connection = children_[static_cast<std::size_t>(process)].connection;
  try {
    while (connection.receive())
      while (const auto frame = connection.next()) supervisor_.on_frame(process, *frame);
  } catch (const CorruptMessage& error) {
    connection.close();
    supervisor_.on_corrupt(process, error.what());
  }
  if (!connection.is_open()) supervisor_.on_closed(process);
}

void Launcher::reap_all(bool only_killed) {
  for (int process = 0; process < plan_.processes; ++process) {
    auto status = children_[static_cast<std::size_t>(process)].process.ended();
    if (status && status->signal == SIGKILL) status->is_for_memory = memory_.kills() > memory_kills_;
    if (status && (status->signal != 0 || !only_killed)) reap(process, *status);
  }
}

void Launcher::reap(int process, ExitStatus status) {
  Child& child = children_[static_cast<std::size_t>(process)];
  read(process);  // its last words may say why
  outputs_.drain(process, now());
  supervisor_.on_exit(process, status);
  if (supervisor_.is_ending()) child.process.kill(SIGKILL);  // what it has started, while its pid still names the group
  child.process.reap();
  child.connection.close();
}

void Launcher::send(int process, const Frame& frame) {
  children_[static_cast<std::size_t>(process)].connection.send(frame);
}

void Launcher::kill(int process, int signal) { children_[static_cast<std::size_t>(process)].process.kill(signal); }

// A process in a container of its own says a number that is another's here.
void Launcher::pass(pid_t pid, int signal) {
  if (is_below_us(pid)) ::kill(pid, signal);
}

bool Launcher::is_traced(pid_t pid) const { return is_below_us(pid) && number_in_status(pid, "TracerPid:") != 0; }

void Launcher::serve_outputs() {
  outputs_.serve(polled_, now());
  if (const int error = outputs_.output_error(); error != 0) supervisor_.on_output_lost(error);
}

// What processes have written comes before what we say of them.
void Launcher::say(std::string_view text) {
  outputs_.drain_all(now());
  outputs_.say("kaonrun: " + std::string(text));
}

// All have ended. Who interrupts us now does not want the rest.
void Launcher::write_out() {
  outputs_.finish(now());
  const auto is_interrupted = [this] { return (polled_[0].revents & POLLIN) != 0; };
  do {
    polled_.assign({{signals_.number(), POLLIN, 0}});
    outputs_.add_to(polled_, true);
    if (outputs_.has_unwritten()) poll_set_.wait(polled_, -1);
    serve_outputs();
  } while (outputs_.has_unwritten() && !is_interrupted());
  read_signals();
}

}  // namespace kaon::launch
