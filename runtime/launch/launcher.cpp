// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "kaon/runtime/base/descriptors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/signals.hpp"
#include "kaon/runtime/launch/make_secret.hpp"

namespace kaon::launch {
namespace {

// How late a time limit may be noticed.
constexpr int kRoundMs = 200;

auto now() { return std::chrono::steady_clock::now(); }

// Also what our parent has told us to ignore: a script's background job must end when it is interrupted by name. Only a
// hang-up stays ignored, as nohup wants it, and a stop.
sigset_t take_signals() {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD}) {
    std::signal(signal, SIG_DFL);
    sigaddset(&wanted, signal);
  }
  for (const int signal : {SIGHUP, SIGTSTP})
    if (runtime::signal_handler_of(signal) != SIG_IGN) sigaddset(&wanted, signal);
  std::signal(SIGPIPE, SIG_IGN);  // our words may have no reader; the run goes on
  sigprocmask(SIG_BLOCK, &wanted, nullptr);
  return wanted;
}

// For each process a socket, its output and errors, and until its program runs a report; and some that come and go.
std::size_t needed_descriptors(const RunPlan& plan) { return 4 * static_cast<std::size_t>(plan.processes) + 10; }

// The rest of a line of what the system tells about a process; empty: it does not.
std::string line_of_status(pid_t pid, const std::string& wanted) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(wanted)) return line.substr(wanted.size());
  return {};
}

pid_t number_in_status(pid_t pid, const std::string& wanted) { return std::atoi(line_of_status(pid, wanted).c_str()); }

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
      signals_(take_signals()),
      descriptors_(reserve_descriptors(needed_descriptors(plan_), "this run")),
      outputs_(plan_.processes, plan_.has_labels),
      supervisor_(plan_.processes, limits, {{}, make_secret(), folder_.shared()}, *this, now()),
      team_({plan_.command, descriptors_, plan_.processes}, outputs_, *this) {}

ExitStatus Launcher::run() {
  try {
    run_team();
  } catch (...) {
    team_.give_up();
    throw;
  }
  write_out();
  const int signal = supervisor_.interruption();
  return signal != 0 ? ExitStatus{0, signal} : ExitStatus{supervisor_.exit_code(), 0};
}

void Launcher::run_team() {
  team_.start();
  while (!supervisor_.is_over()) {
    wait_for_events();
    supervisor_.begin_round(now());
    // A ctrl-C reaches process 0 at the same time; that it dies of it is not news.
    const bool has_child_ended = read_signals();
    if (has_child_ended) team_.look_for_ends(true);  // what others say of a killed process is the consequence
    team_.serve(polled_);
    serve_outputs();
    if (has_child_ended) team_.look_for_ends(false);
    supervisor_.end_round();
  }
}

void Launcher::wait_for_events() {
  polled_.clear();
  polled_.push_back({signals_.descriptor(), POLLIN, 0});
  team_.add_to(polled_);
  outputs_.add_to(polled_, supervisor_.is_ending());
  poll_set_.wait(polled_, outputs_.wait_ms(now(), kRoundMs));
}

// True: a process has ended.
bool Launcher::read_signals() {
  bool has_child_ended = false;
  while (const int signal = signals_.next())
    if (signal == SIGCHLD)
      has_child_ended = true;
    else
      obey(signal);
  return has_child_ended;
}

void Launcher::obey(int signal) {
  if (signal != SIGUSR1 && signal != SIGTSTP) is_interrupted_ = true;
  supervisor_.on_signal(signal);
}

void Launcher::on_started(int process, pid_t pid) { supervisor_.on_started(process, pid); }

void Launcher::on_frame(int process, const Frame& frame) { supervisor_.on_frame(process, frame); }

void Launcher::on_corrupt(int process, std::string_view what) { supervisor_.on_corrupt(process, what); }

void Launcher::on_closed(int process) { supervisor_.on_closed(process); }

void Launcher::on_exit(int process, ExitStatus status) {
  supervisor_.on_exit(process, status);
  team_.release(process, supervisor_.is_ending());
}

void Launcher::send(int process, const Frame& frame) { team_.send(process, frame); }

void Launcher::kill(int process, int signal) { team_.kill(process, signal); }

// A process in a container of its own says a number that is another's here.
void Launcher::pass(pid_t pid, int signal) {
  if (is_below_us(pid)) ::kill(pid, signal);
}

bool Launcher::is_traced(pid_t pid) const { return is_below_us(pid) && number_in_status(pid, "TracerPid:") != 0; }

bool Launcher::is_stopped(pid_t pid) const {
  return is_below_us(pid) && line_of_status(pid, "State:").starts_with("\tT ");
}

// Nobody stops whom nobody could continue: a program without a shell.
void Launcher::pause() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
}

void Launcher::serve_outputs() {
  outputs_.serve(polled_, now());
  if (const int error = outputs_.output_error(); error != 0) supervisor_.on_output_lost(error);
}

// What processes have written comes before what we say of them.
void Launcher::say(std::string_view text) {
  outputs_.drain_all(now());
  outputs_.say("kaonrun: " + std::string(text));
}

// All have ended. Who interrupts us now does not want the rest. A word that another has ended may still come.
void Launcher::write_out() {
  outputs_.finish(now());
  is_interrupted_ = false;
  do {
    polled_.assign({{signals_.descriptor(), POLLIN, 0}});
    outputs_.add_to(polled_, true);
    if (outputs_.has_unwritten()) poll_set_.wait(polled_, -1);
    serve_outputs();
    read_signals();
  } while (outputs_.has_unwritten() && !is_interrupted_);
}

}  // namespace kaon::launch
