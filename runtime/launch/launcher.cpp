// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/launcher.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <sys/signalfd.h>
#include <unistd.h>

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
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) {
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

}  // namespace

Launcher::Launcher(int processes, Limits limits, std::vector<std::string> command)
    : processes_(processes),
      command_(std::move(command)),
      signals_(take_signals()),
      supervisor_(processes, limits, make_secret(), *this, now()) {}

int Launcher::run() {
  start_all();
  while (!supervisor_.is_over()) {
    wait_for_events();
    supervisor_.begin_round(now());
    // A ctrl-C reaches process 0 at the same time; that it dies of it is not news.
    read_signals();
    reap_all(true);  // what others say of a process that was killed is the consequence
    read_all();
    reap_all(false);
    supervisor_.end_round();
  }
  return supervisor_.exit_code();
}

void Launcher::start_all() {
  try {
    for (int process = 0; process < processes_; ++process) {
      ChildProcess child = ChildProcess::start({command_, process, processes_});
      Connection connection(child.take_socket());
      children_.push_back({std::move(child), std::move(connection)});
      supervisor_.on_started(process, children_.back().process.pid());
    }
  } catch (...) {
    for (Child& child : children_) child.process.kill(SIGKILL);
    for (Child& child : children_) child.process.reap();
    throw;
  }
}

void Launcher::wait_for_events() {
  polled_.clear();
  polled_.push_back({signals_.number(), POLLIN, 0});
  for (const Child& child : children_) {
    const int events = POLLIN | (child.connection.has_unsent() ? POLLOUT : 0);
    polled_.push_back({child.connection.descriptor(), static_cast<short>(events), 0});  // a negative one is ignored
  }
  poll(polled_.data(), polled_.size(), kRoundMs);
}

void Launcher::read_signals() {
  signalfd_siginfo signal{};
  while (::read(signals_.number(), &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal))
    if (signal.ssi_signo != SIGCHLD) supervisor_.on_signal(static_cast<int>(signal.ssi_signo));
}

void Launcher::read_all() {
  for (int process = 0; process < processes_; ++process) {
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
  for (int process = 0; process < processes_; ++process) {
    const auto status = children_[static_cast<std::size_t>(process)].process.ended();
    if (status && (status->signal != 0 || !only_killed)) reap(process, *status);
  }
}

void Launcher::reap(int process, ExitStatus status) {
  Child& child = children_[static_cast<std::size_t>(process)];
  read(process);  // its last words may say why
  supervisor_.on_exit(process, status);
  if (supervisor_.is_ending()) child.process.kill(SIGKILL);  // what it has started, while its pid still names the group
  child.process.reap();
  child.connection.close();
}

void Launcher::send(int process, const Frame& frame) {
  children_[static_cast<std::size_t>(process)].connection.send(frame);
}

void Launcher::kill(int process, int signal) { children_[static_cast<std::size_t>(process)].process.kill(signal); }

void Launcher::say(std::string_view text) {
  const std::string line = "kaonrun: " + std::string(text) + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody reads: nothing to be done
}

}  // namespace kaon::launch
