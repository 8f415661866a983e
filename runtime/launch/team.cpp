// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/team.hpp"

#include <csignal>
#include <optional>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

auto now() { return std::chrono::steady_clock::now(); }

bool has_something(const pollfd& polled) { return (polled.revents & (POLLIN | POLLHUP | POLLERR)) != 0; }

}  // namespace

Team::Team(const TeamPlan& plan, Outputs& outputs, TeamEvents& events)
    : plan_(plan), outputs_(outputs), events_(events) {}

void Team::start() {
  for (int process = 0; process < plan_.processes; ++process) start(process);
}

void Team::start(int process) {
  const ChildOutputs outputs = outputs_.open(process);
  ChildProcess child = ChildProcess::start({plan_.command, outputs, plan_.descriptors, process, plan_.processes});
  Connection connection(child.take_socket());
  children_.push_back({std::move(child), std::move(connection)});
  events_.on_started(process, children_.back().process.pid());
}

void Team::add_to(std::vector<pollfd>& polled) {
  first_polled_ = polled.size();
  for (const Child& each : children_) {
    polled.push_back(each.connection.to_poll());
    polled.push_back({each.process.report(), POLLIN, 0});
  }
}

void Team::serve(const std::vector<pollfd>& polled) {
  const pollfd* next = polled.data() + first_polled_;
  for (int process = 0; process < plan_.processes; ++process) {
    const pollfd socket = *next++;
    if (has_something(*next++)) check_program(process);
    if ((socket.revents & POLLOUT) != 0) child(process).connection.flush();
    if (has_something(socket)) read(process);
  }
}

// One that does not come to its program is left to the limits of the run, or to who interrupts it.
void Team::check_program(int process) { child(process).process.check_program(plan_.command.front()); }

void Team::read(int process) {
  Connection& connection = child(process).connection;
  try {
    while (connection.receive())
      while (const auto frame = connection.next()) events_.on_frame(process, *frame);
  } catch (const CorruptMessage& error) {
    connection.close();
    events_.on_corrupt(process, error.what());
  }
  if (!connection.is_open()) events_.on_closed(process);
}

void Team::look_for_ends(bool only_killed) {
  for (int process = 0; process < plan_.processes; ++process) {
    if (child(process).has_ended) continue;
    auto status = child(process).process.ended();
    if (status && status->signal == SIGKILL) status->is_for_memory = memory_.kills() > memory_kills_;
    if (status && (status->signal != 0 || !only_killed)) end(process, *status);
  }
}

void Team::end(int process, ExitStatus status) {
  child(process).has_ended = true;
  check_program(process);
  read(process);  // its last words may say why
  outputs_.drain(process, now());
  events_.on_exit(process, status);
}

void Team::send(int process, const Frame& frame) { child(process).connection.send(frame); }

void Team::kill(int process, int signal) { child(process).process.kill(signal); }

void Team::release(int process, bool with_what_it_started) {
  Child& released = child(process);
  if (with_what_it_started) released.process.kill(SIGKILL);  // while its pid still names the group
  released.process.reap();
  released.connection.close();
}

void Team::give_up() {
  for (Child& each : children_) each.process.kill(SIGKILL);
  for (Child& each : children_) each.process.reap();
}

}  // namespace kaon::launch
