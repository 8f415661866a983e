// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/launcher_proxy.hpp"

#include <chrono>
#include <csignal>
#include <exception>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/proxy_body.hpp"

namespace kaon::launch {
namespace {

// Lines that wait for others' may wait as much longer.
constexpr int kRoundMs = 200;

auto now() { return std::chrono::steady_clock::now(); }

// kaonrun has blocked them all, of which this one is ours to read.
sigset_t ends_of_children() {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGCHLD);
  return wanted;
}

}  // namespace

LauncherProxy::LauncherProxy(const TeamPlan& plan, bool has_labels, Descriptor kaonrun)
    : processes_(plan.processes),
      kaonrun_(std::move(kaonrun)),
      signals_(ends_of_children()),
      outputs_(plan.processes, has_labels, LineMerger::LastLines::ended),
      team_(plan, outputs_, *this) {}

void LauncherProxy::run() {
  try {
    team_.start();
    serve_until_over();
  } catch (const std::exception& error) {
    team_.give_up();
    kaonrun_.send(failed_frame(error.what()));
  }
  write_out();
}

void LauncherProxy::serve_until_over() {
  while (kaonrun_.is_open() && !(team_.is_over() && is_run_over_)) {
    wait_for_events();
    const bool has_ended = has_child_ended();
    if (has_ended) team_.look_for_ends(true);  // what others say of a process that was killed is the consequence
    obey_all();
    team_.serve(polled_);
    outputs_.serve(polled_, now());
    if (has_ended) team_.look_for_ends(false);
  }
}

void LauncherProxy::wait_for_events() {
  polled_.assign({kaonrun_.to_poll(), {signals_.descriptor(), POLLIN, 0}});
  team_.add_to(polled_);
  outputs_.add_to(polled_, false);
  poll_set_.wait(polled_, outputs_.wait_ms(now(), kRoundMs));
}

bool LauncherProxy::has_child_ended() {
  bool has_ended = false;
  while (signals_.next() != 0) has_ended = true;
  return has_ended;
}

void LauncherProxy::obey_all() {
  kaonrun_.flush();
  while (kaonrun_.receive())
    while (const auto frame = kaonrun_.next()) obey(*frame);
}

void LauncherProxy::obey(const Frame& frame) {
  if (frame.kind == FrameKind::kRunOver) {
    is_run_over_ = true;
    return;
  }
  const ProxyBody body = parse_about(frame, processes_);
  switch (frame.kind) {
    case FrameKind::kTell:
      return team_.send(body.process, parse_passed(body));
    case FrameKind::kSignal:
      return team_.kill(body.process, parse_number(body));
    case FrameKind::kRelease:
      return team_.release(body.process, parse_number(body) != 0);
    default:
      throw CorruptMessage("a frame of a kind that only a proxy sends");
  }
}

void LauncherProxy::on_started(int process, pid_t pid) { kaonrun_.send(started_frame(process, pid)); }

// What it has written before it said something comes before what kaonrun says of that.
void LauncherProxy::on_frame(int process, const Frame& frame) {
  if (frame.kind != FrameKind::kHeartbeat) outputs_.drain(process, now());
  kaonrun_.send(passed_frame(FrameKind::kSaid, process, frame));
}

void LauncherProxy::on_corrupt(int process, std::string_view what) { kaonrun_.send(corrupt_frame(process, what)); }

void LauncherProxy::on_closed(int process) { kaonrun_.send(about(process, FrameKind::kClosed)); }

void LauncherProxy::on_exit(int process, ExitStatus status) { kaonrun_.send(exited_frame(process, status)); }

// kaonrun reads our streams until they end.
void LauncherProxy::write_out() {
  outputs_.finish(now());
  while (kaonrun_.is_open() && (kaonrun_.has_unsent() || outputs_.has_unwritten())) {
    polled_.assign({kaonrun_.to_poll()});
    outputs_.add_to(polled_, true);
    poll_set_.wait(polled_, -1);
    kaonrun_.flush();
    kaonrun_.receive();  // sees its end
    outputs_.serve(polled_, now());
  }
}

}  // namespace kaon::launch
