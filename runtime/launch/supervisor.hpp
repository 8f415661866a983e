// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/exit_status.hpp"
#include "kaon/runtime/launch/frame.hpp"
#include "kaon/runtime/launch/frame_body.hpp"

namespace kaon::launch {

struct Limits {
  std::chrono::milliseconds start{60000};   // from the first process that waits for the others to the last that joins
  std::chrono::milliseconds silence{3000};  // until a warning
  std::chrono::milliseconds peer{20000};    // of silence, until the run is ended; 0: never
  std::chrono::milliseconds grace{1000};    // between telling a process to end and killing it
};

// What the supervisor wants done. The launcher does it to sockets and processes, a test writes it down.
class Effects {
 public:
  virtual ~Effects() = default;
  virtual void send(int process, const Frame& frame) = 0;
  virtual void kill(int process, int signal) = 0;              // it and what it has started
  virtual void pass(pid_t pid, int signal) = 0;                // a signal that it knows
  [[nodiscard]] virtual bool is_traced(pid_t pid) const = 0;   // by a debugger, which may hold it
  [[nodiscard]] virtual bool is_stopped(pid_t pid) const = 0;  // by SIGSTOP, say
  virtual void say(std::string_view text) = 0;                 // one line to the user
  virtual void pause() = 0;                                    // stops the launcher until it is continued
};

// All decisions about the processes of a run: who has joined, who may know what, who is lost and why, and when all is
// over. It knows no sockets and no clock: its owner tells it what has happened, in rounds that begin with the time.
class Supervisor {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `welcome` is what all processes are told, but for their seats.
  Supervisor(int processes, Limits limits, WelcomeBody welcome, Effects& effects, Time now);

  // From here on frames can be sent to it.
  void on_started(int process, pid_t pid);
  // A round: begin, whatever has happened, end. Time limits are looked at in end_round() only, so that what has waited
  // in the sockets while the launcher itself was stopped or slow is heard first.
  void begin_round(Time now);
  void on_frame(int process, const Frame& frame);
  void on_corrupt(int process, std::string_view what);
  void on_closed(int process);  // its socket
  void on_exit(int process, ExitStatus status);
  void on_signal(int signal);      // sent to the launcher by the user
  void on_output_lost(int error);  // the errno of standard output
  void end_round();

  // The first reason to end ends the run; what follows from it is not told, but for crashes.
  [[nodiscard]] bool is_ending() const noexcept { return is_ending_; }
  [[nodiscard]] bool is_over() const noexcept { return living_ == 0; }
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }
  // The signal by which the user has ended it; 0: he has not.
  [[nodiscard]] int interruption() const noexcept { return interruption_; }

 private:
  struct Peer {
    pid_t pid = 0;
    Time last_heard;
    bool has_spoken = false;  // by its first frame: only then is it one of ours
    bool has_joined = false;
    bool has_put = false;
    bool has_arrived = false;
    bool has_closed = false;
    bool has_exited = false;
    bool is_warned_of = false;
    bool has_lost_another = false;  // as it says
    ExitStatus status;              // with which it has left after the barrier
    ContactBody contact;
  };

  // What a process says that can no longer, or not yet, reach another: a symptom. The cause, how the other has ended,
  // is awaited for a moment.
  struct Loss {
    std::string text;
    int code;
    Time since;
  };

  void handle(int process, const Frame& frame);
  void abort(int process, const EndBody& end);
  void end_by_loss();
  void hear(int process);
  void join(int process, pid_t pid);
  void put(int process, ContactBody contact);
  void compare_program(int process);
  void give_blob(int process, int wanted);
  void arrive(int process);
  void tell_crash(int process, ExitStatus status);
  void leave(int process, ExitStatus status);
  void tell_codes();
  void end_run(int code, const std::string& reason);
  // `said` to the user, `reason` to the processes, who say nothing when it is empty.
  void end_run(int code, const std::string& said, const std::string& reason);
  void pass_user_signal();
  void pause();
  void signal_all(int signal);
  void check_start();
  void warn_of_missing();
  void check_whether_any_joins();
  void check_silence(int process);
  void send_to_all(const Frame& frame);
  void signal(int process, int signal);
  void kill_all();

  [[nodiscard]] std::vector<int> missing() const;
  [[nodiscard]] std::string why_missing() const;
  [[nodiscard]] bool has_passed_barrier() const { return arrived_ == processes(); }
  [[nodiscard]] bool has_any_spoken() const;
  [[nodiscard]] bool is_watched(const Peer& peer) const;
  [[nodiscard]] std::string name(int process) const;
  [[nodiscard]] std::string names(const std::vector<int>& which) const;
  Peer& peer(int process) { return peers_[static_cast<std::size_t>(process)]; }
  [[nodiscard]] int processes() const { return static_cast<int>(peers_.size()); }

  Limits limits_;
  WelcomeBody welcome_;
  Effects& effects_;
  std::vector<Peer> peers_;
  int living_;
  Time start_time_;
  bool is_warned_of_none_ = false;  // that none joins
  int put_ = 0;
  int arrived_ = 0;
  int first_put_ = -1;  // process; -1: none has put
  Time first_put_time_;
  Time now_;
  bool is_warned_of_missing_ = false;
  std::optional<Loss> loss_;  // the first
  bool is_ending_ = false;
  Time kill_time_;  // while ending: when patience ends
  int exit_code_ = 0;
  int interruption_ = 0;
  std::optional<Time> interrupted_at_;
};

}  // namespace kaon::launch
