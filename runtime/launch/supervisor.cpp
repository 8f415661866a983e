// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/supervisor.hpp"

#include <csignal>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

// A round that starts later than this says that we were stopped ourselves (ctrl-Z, a sleeping laptop), not the others.
constexpr std::chrono::milliseconds kOwnStop{2000};

std::string seconds_text(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += "." + std::to_string(time.count() % 1000 / 100);
  return text + " s";
}

// 0 would tell everybody that all went well, and a process gives its parent no more than a byte.
int as_failure(int code) { return (code & 0xff) != 0 ? code & 0xff : kExitOther; }

}  // namespace

Supervisor::Supervisor(int processes, Limits limits, const Secret& secret, Effects& effects, Time now)
    : limits_(limits),
      secret_(secret),
      effects_(effects),
      peers_(static_cast<std::size_t>(processes)),
      living_(processes),
      first_put_time_(now),
      now_(now),
      kill_time_(now) {}

void Supervisor::on_started(int process, pid_t pid) {
  peer(process).pid = pid;
  peer(process).last_heard = now_;
  effects_.send(process, welcome_frame({seat_on_one_host(process, processes()), secret_}));
}

void Supervisor::begin_round(Time now) {
  const auto gap = now - now_;
  if (gap > kOwnStop) {
    for (Peer& each : peers_) each.last_heard += gap;
    first_put_time_ += gap;
  }
  now_ = now;
}

void Supervisor::on_frame(int process, const Frame& frame) {
  hear(process);
  if (is_ending_) return;
  try {
    handle(process, frame);
  } catch (const CorruptMessage& error) {
    on_corrupt(process, error.what());
  }
}

void Supervisor::hear(int process) {
  peer(process).has_spoken = true;
  peer(process).last_heard = now_;
  if (std::exchange(peer(process).is_warned_of, false) && !is_ending_)
    effects_.say(name(process) + " is responding again");
}

void Supervisor::handle(int process, const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kHeartbeat:
      return parse_empty(frame);
    case FrameKind::kJoin:
      return join(process, parse_join(frame));
    case FrameKind::kPut:
      return put(process, parse_put(frame));
    case FrameKind::kAskMissing:
      return effects_.send(process, missing_frame(missing()));
    case FrameKind::kGet:
      return give_blob(process, parse_get(frame, processes()));
    case FrameKind::kArrive:
      return arrive(process);
    case FrameKind::kAbort: {
      const EndBody end = parse_end(frame);
      const std::string text = name(process) + " ended the run: " + end.text;
      return end_run(end.code, text, text);
    }
    default:
      throw CorruptMessage("a frame of a kind that only kaonrun sends");
  }
}

// The pid may differ from that of what we have started, which may be a shell or a debugger.
void Supervisor::join(int process, pid_t pid) {
  if (std::exchange(peer(process).has_joined, true))
    return end_run(kExitUsage, name(process) + " has started a second Kaon program (pid " + std::to_string(pid) +
                                   "), but a process joins its run once; use one kaonrun for each program");
  peer(process).pid = pid;
}

void Supervisor::put(int process, ContactBody contact) {
  if (std::exchange(peer(process).has_put, true)) throw CorruptMessage("its contact data came twice");
  peer(process).contact = std::move(contact);
  if (first_put_ < 0) {
    first_put_ = process;
    first_put_time_ = now_;
  }
  compare_program(process);
  for (int other = 0; other < processes(); ++other)
    if (peer(other).has_exited && !is_ending_)
      end_run(kExitLostPeer, name(other) + " ended before it joined the run; all processes must call kaon::run()");
  if (++put_ == processes() && !is_ending_) send_to_all({FrameKind::kAllPut, {}});
}

void Supervisor::compare_program(int process) {
  if (peer(process).contact.program_hash == peer(first_put_).contact.program_hash) return;
  end_run(kExitUsage,
          name(process) + " and " + name(first_put_) +
              " are different programs, or different builds of one: start the same binary in all processes");
}

void Supervisor::give_blob(int process, int wanted) {
  if (!peer(wanted).has_put) throw CorruptMessage("it asks for contact data before all have joined");
  effects_.send(process, blob_frame(wanted, peer(wanted).contact.blob));
}

void Supervisor::arrive(int process) {
  if (std::exchange(peer(process).has_arrived, true)) throw CorruptMessage("it came to the end of the run twice");
  if (++arrived_ == processes()) send_to_all({FrameKind::kReleased, {}});
}

void Supervisor::on_corrupt(int process, std::string_view what) {
  end_run(kExitLostPeer, name(process) + " sent bytes that make no sense: " + std::string(what) +
                             "; is something else writing to its descriptor?");
}

void Supervisor::on_closed(int process) { peer(process).has_closed = true; }

void Supervisor::on_exit(int process, ExitStatus status) {
  if (std::exchange(peer(process).has_exited, true)) return;
  --living_;
  if (is_ending_) return tell_crash(process, status);
  if (!status.is_success())
    end_run(status.exit_code(), name(process) + " " + to_string(status));
  else if (first_put_ >= 0 && !peer(process).has_arrived && living_ > 0)
    end_run(kExitLostPeer, name(process) + " ended before the run was over");
}

// Ending is what was asked of it, crashing is not: its way to the end has an error.
void Supervisor::tell_crash(int process, ExitStatus status) {
  if (!status.is_crash()) return;
  effects_.say(name(process) + " crashed by " + signal_text(status.signal) + " while the run was being ended");
}

void Supervisor::on_signal(int signal) {
  if (is_ending_) return kill_all(SIGKILL);  // the user insists
  end_run(128 + signal, signal_text(signal) + " received; ending all processes", "");
}

void Supervisor::end_round() {
  if (is_ending_) {
    if (now_ >= kill_time_) kill_all(SIGKILL);
    return;
  }
  check_start();
  for (int process = 0; process < processes(); ++process)
    if (is_watched(peer(process)) && !is_ending_) check_silence(process);
}

void Supervisor::check_start() {
  if (first_put_ < 0 || put_ == processes() || now_ - first_put_time_ < limits_.start) return;
  std::string names;
  for (const int process : missing()) names += (names.empty() ? "" : ", ") + name(process);
  end_run(kExitLostPeer, names + " did not join the run within " + seconds_text(limits_.start) + " of process " +
                             std::to_string(first_put_) + "; --timeout-start waits longer");
}

void Supervisor::check_silence(int process) {
  const auto silent = now_ - peer(process).last_heard;
  if (silent >= limits_.peer) {
    effects_.kill(process, SIGKILL);  // a stopped process would not take any other signal
    end_run(kExitLostPeer,
            name(process) + " has not responded for " + seconds_text(limits_.peer) + "; --peer-timeout waits longer");
  } else if (silent >= limits_.silence && !std::exchange(peer(process).is_warned_of, true)) {
    effects_.say(name(process) + " is not responding: stopped or swapped out?");
  }
}

void Supervisor::end_run(int code, const std::string& reason) {
  end_run(code, reason + (living_ > 0 ? "; ending all processes" : ""), reason);
}

void Supervisor::end_run(int code, const std::string& said, const std::string& reason) {
  if (std::exchange(is_ending_, true)) return;
  exit_code_ = as_failure(code);
  kill_time_ = now_ + limits_.grace;
  effects_.say(said);
  for (int process = 0; process < processes(); ++process) {
    if (peer(process).has_exited) continue;
    if (peer(process).has_spoken)
      effects_.send(process, end_frame(FrameKind::kEnd, exit_code_, reason));
    else
      effects_.kill(process, SIGTERM);  // not listening: not one of ours, or not yet
  }
}

void Supervisor::send_to_all(const Frame& frame) {
  for (int process = 0; process < processes(); ++process)
    if (!peer(process).has_exited) effects_.send(process, frame);
}

void Supervisor::kill_all(int signal) {
  for (int process = 0; process < processes(); ++process)
    if (!peer(process).has_exited) effects_.kill(process, signal);
}

std::vector<int> Supervisor::missing() const {
  std::vector<int> found;
  for (std::size_t process = 0; process < peers_.size(); ++process)
    if (!peers_[process].has_put) found.push_back(static_cast<int>(process));
  return found;
}

// After the barrier a process may go on alone, without us.
bool Supervisor::is_watched(const Peer& peer) const {
  const bool has_left = peer.has_closed && arrived_ == processes();
  return peer.has_spoken && !peer.has_exited && !has_left;
}

std::string Supervisor::name(int process) const {
  return "process " + std::to_string(process) + " (pid " +
         std::to_string(peers_[static_cast<std::size_t>(process)].pid) + ")";
}

}  // namespace kaon::launch
