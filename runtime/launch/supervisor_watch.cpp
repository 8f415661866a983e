// SPDX-License-Identifier: Apache-2.0
// What the supervisor sees in silence: rounds, limits of time, who has not come.
#include <algorithm>
#include <csignal>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/supervisor.hpp"

namespace kaon::launch {
namespace {

// A round that starts later than this says that we were stopped ourselves (ctrl-Z, a sleeping laptop), not the others.
constexpr std::chrono::milliseconds kOwnStop{2000};
// In which the end of a process is told to us after another has noticed it.
constexpr std::chrono::milliseconds kCauseComes{300};

std::string seconds_text(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += "." + std::to_string(time.count() % 1000 / 100);
  return text + " s";
}

}  // namespace

void Supervisor::begin_round(Time now) {
  const auto gap = now - now_;
  if (gap > kOwnStop) {
    for (Peer& each : peers_) each.last_heard += gap;
    start_time_ += gap;
    first_put_time_ += gap;
    kill_time_ += gap;
  }
  now_ = now;
}

void Supervisor::end_round() {
  if (is_ending_) {
    if (now_ >= kill_time_) kill_all();
    return;
  }
  if (loss_ && now_ - loss_->since >= kCauseComes) return end_by_loss();
  check_start();
  for (int process = 0; process < processes(); ++process)
    if (is_watched(peer(process)) && !is_ending_) check_silence(process);
}

void Supervisor::check_start() {
  if (put_ == processes()) return;
  if (first_put_ < 0) return check_whether_any_joins();
  const auto waited = now_ - first_put_time_;
  if (waited >= limits_.start)
    return end_run(kExitLostPeer, names(missing()) + " did not join the run within " + seconds_text(limits_.start) +
                                      " of process " + std::to_string(first_put_) +
                                      " (--timeout-start waits longer): " + why_missing());
  if (waited >= limits_.silence && !std::exchange(is_warned_of_missing_, true)) warn_of_missing();
}

// It may be a script that does other things first, so this ends nothing.
void Supervisor::check_whether_any_joins() {
  if (has_any_spoken() || now_ - start_time_ < limits_.silence || std::exchange(is_warned_of_none_, true)) return;
  effects_.say("no process has joined the run yet: " + why_missing());
}

bool Supervisor::has_any_spoken() const {
  return std::any_of(peers_.begin(), peers_.end(), [](const Peer& each) { return each.has_spoken; });
}

void Supervisor::warn_of_missing() {
  effects_.say(names(missing()) + " did not join the run yet, process " + std::to_string(first_put_) +
               " waits: " + why_missing() + " It has " + seconds_text(limits_.start) + " (--timeout-start)");
}

std::string Supervisor::why_missing() const {
  std::vector<int> stopped;
  std::string pids;
  for (const int process : missing()) {
    const pid_t pid = peers_[static_cast<std::size_t>(process)].pid;
    if (!effects_.is_stopped(pid)) continue;
    stopped.push_back(process);
    pids += " " + std::to_string(pid);
  }
  if (stopped.empty()) return "is it a Kaon program, and does it call kaon::run()?";
  return "a signal has stopped " + names(stopped) + "; `kill -CONT" + pids + "` lets it go on.";
}

void Supervisor::check_silence(int process) {
  const auto silent = now_ - peer(process).last_heard;
  if (silent < limits_.silence) return;
  const bool is_held = effects_.is_traced(peer(process).pid);
  if (!std::exchange(peer(process).is_warned_of, true))
    effects_.say(name(process) +
                 " is not responding: " + (is_held ? "a debugger holds it; the run waits" : "stopped or swapped out?"));
  if (is_held || limits_.peer.count() == 0 || silent < limits_.peer) return;
  signal(process, SIGKILL);  // a stopped process would not take any other signal
  end_run(kExitLostPeer, name(process) + " has not responded for " + seconds_text(limits_.peer) +
                             "; --peer-timeout waits longer, 0 for ever");
}

// After the barrier a process may go on alone, without us.
bool Supervisor::is_watched(const Peer& peer) const {
  const bool has_left = peer.has_closed && has_passed_barrier();
  return peer.has_spoken && !peer.has_exited && !has_left;
}

}  // namespace kaon::launch
