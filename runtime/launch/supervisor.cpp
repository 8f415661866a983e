// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/supervisor.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

constexpr std::size_t kMostNames = 8;
// Signals that come so near to each other are one: timeout sends its own to us and to our group.
constexpr std::chrono::milliseconds kOneWish{300};

// 0 would tell everybody that all went well, and a process gives its parent no more than a byte.
int as_failure(int code) { return (code & 0xff) != 0 ? code & 0xff : kExitOther; }

}  // namespace

Supervisor::Supervisor(int processes, Limits limits, WelcomeBody welcome, Effects& effects, Time now)
    : limits_(limits),
      welcome_(std::move(welcome)),
      effects_(effects),
      peers_(static_cast<std::size_t>(processes)),
      living_(processes),
      start_time_(now),
      first_put_time_(now),
      now_(now),
      kill_time_(now) {}

void Supervisor::on_started(int process, pid_t pid) {
  peer(process).pid = pid;
  peer(process).last_heard = now_;
  welcome_.seat = seat_on_one_host(process, processes());
  effects_.send(process, welcome_frame(welcome_));
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
    case FrameKind::kAbort:
      return abort(process, parse_end(frame));
    default:
      throw CorruptMessage("a frame of a kind that only kaonrun sends");
  }
}

void Supervisor::abort(int process, const EndBody& end) {
  const std::string text = name(process) + " ended the run: " + end.text;
  // UCX cannot connect to a process that is just ending, and may take that for a wrong choice of transports.
  const bool is_symptom = end.code == kExitLostPeer || (end.code == kExitUsage && put_ == processes());
  if (!is_symptom) return end_run(end.code, text, text);
  peer(process).has_lost_another = true;
  if (!loss_) loss_ = Loss{text, end.code, now_};
}

void Supervisor::end_by_loss() { end_run(loss_->code, loss_->text, loss_->text); }

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
  if (has_passed_barrier()) return leave(process, status);
  if (peer(process).has_lost_another) return living_ == 0 ? end_by_loss() : void();
  if (!status.is_success())
    end_run(status.exit_code(), name(process) + " " + to_string(status));
  else if (first_put_ >= 0 && !peer(process).has_arrived && living_ > 0)
    end_run(kExitLostPeer, name(process) + " ended before the run was over");
}

// After the barrier the run is over for all: nobody is ended because of another's code, and what they still print comes
// out.
void Supervisor::leave(int process, ExitStatus status) {
  peer(process).status = status;
  if (exit_code_ == 0) exit_code_ = status.exit_code();
  if (status.signal != 0) effects_.say(name(process) + " " + to_string(status) + " after the end of the run");
  if (living_ == 0) tell_codes();
}

// Of several it is the result of main, mostly; then all have it.
void Supervisor::tell_codes() {
  const auto failed = [](const Peer& each) { return each.status.code != 0; };
  const auto first = std::find_if(peers_.begin(), peers_.end(), failed);
  if (first == peers_.end()) return;
  const auto is_alike = [first](const Peer& each) { return each.status == first->status; };
  if (processes() > 1 && std::all_of(peers_.begin(), peers_.end(), is_alike))
    return effects_.say("all processes ended with code " + std::to_string(first->status.code));
  effects_.say(name(static_cast<int>(first - peers_.begin())) + " " + to_string(first->status));
}

// Ending is what was asked of it, crashing is not: its way to the end has an error.
void Supervisor::tell_crash(int process, ExitStatus status) {
  if (!status.is_crash()) return;
  effects_.say(name(process) + " crashed by " + signal_text(status.signal) + " while the run was being ended");
}

void Supervisor::on_signal(int signal) {
  if (signal == SIGUSR1) return pass_user_signal();
  if (signal == SIGTSTP) return pause();
  if (interrupted_at_ && now_ - *interrupted_at_ < kOneWish) return;
  interrupted_at_ = now_;
  if (is_ending_) return kill_all();  // the user insists
  interruption_ = signal;
  end_run(128 + signal, signal_text(signal) + " received; ending all processes", "");
}

// To Kaon programs alone, which know it: others it would kill.
void Supervisor::pass_user_signal() {
  for (const Peer& each : peers_)
    if (each.has_joined && !each.has_closed && !each.has_exited) effects_.pass(each.pid, SIGUSR1);
}

// Ctrl-Z reaches at most process 0 besides us, and what continues us nobody else.
void Supervisor::pause() {
  signal_all(SIGTSTP);
  effects_.pause();
  signal_all(SIGCONT);
}

void Supervisor::on_output_lost(int error) {
  if (exit_code_ != 0) return;
  if (error == EPIPE) return end_run(128 + SIGPIPE, "nobody reads the standard output any more");
  end_run(kExitOther, std::string("standard output could not be written: ") + std::strerror(error));
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

// Also a program that has a group of its own, below a shell of ours.
void Supervisor::signal(int process, int signal) {
  const Peer& told = peer(process);
  if (told.has_joined && !told.has_closed) effects_.pass(told.pid, signal);
  effects_.kill(process, signal);
}

void Supervisor::signal_all(int signal) {
  for (int process = 0; process < processes(); ++process)
    if (!peer(process).has_exited) this->signal(process, signal);
}

void Supervisor::kill_all() { signal_all(SIGKILL); }

std::vector<int> Supervisor::missing() const {
  std::vector<int> found;
  for (std::size_t process = 0; process < peers_.size(); ++process)
    if (!peers_[process].has_put) found.push_back(static_cast<int>(process));
  return found;
}

std::string Supervisor::names(const std::vector<int>& which) const {
  std::string text;
  for (std::size_t i = 0; i < which.size() && i < kMostNames; ++i) text += (i == 0 ? "" : ", ") + name(which[i]);
  return text + (which.size() > kMostNames ? " and " + std::to_string(which.size() - kMostNames) + " others" : "");
}

std::string Supervisor::name(int process) const {
  return "process " + std::to_string(process) + " (pid " +
         std::to_string(peers_[static_cast<std::size_t>(process)].pid) + ")";
}

}  // namespace kaon::launch
