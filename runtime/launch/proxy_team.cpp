// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/proxy_team.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/forked.hpp"
#include "kaon/runtime/launch/launcher_proxy.hpp"
#include "kaon/runtime/launch/proxy_body.hpp"

namespace kaon::launch {
namespace {

// How long a proxy may take to kill processes, before it is killed itself, by which they die, too.
constexpr std::chrono::seconds kKills{2};
// What a process writes last comes before what is said of its end as long as a proxy's pipe has room for it. All pipes
// together take half of what the system lets the pipes of a user grow to (pipe-user-pages-soft).
constexpr unsigned kMostPipeBytes = 1U << 20;
constexpr unsigned kLeastPipeBytes = 1U << 16;
constexpr unsigned kBytesOfAllPipes = 1U << 25;

auto now() { return std::chrono::steady_clock::now(); }

void widen(const Descriptor& pipe, int proxies) {
  const unsigned share = std::bit_floor(kBytesOfAllPipes / (2 * static_cast<unsigned>(proxies)));
  const unsigned bytes = std::clamp(share, kLeastPipeBytes, kMostPipeBytes);
  if (pipe.is_open())
    fcntl(pipe.number(), F_SETPIPE_SZ, static_cast<int>(bytes));  // a terminal has no size; else it stays as it is
}

// A copy of kaonrun has all that kaonrun has open. What is kaonrun's own, and not passed on to programs, is not ours.
void close_kaonruns(const Descriptor& but) {
  std::vector<int> open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    open.push_back(std::atoi(entry.path().filename().c_str()));
  for (const int number : open) {
    const int flags = fcntl(number, F_GETFD);
    if (number != but.number() && flags >= 0 && (flags & FD_CLOEXEC) != 0) close(number);
  }
}

std::string processes_text(const TeamPlan& plan) {
  if (plan.count == 1) return "process " + std::to_string(plan.first);
  return "processes " + std::to_string(plan.first) + " to " + std::to_string(plan.first + plan.count - 1);
}

ExitStatus status_of(int waited) {
  return WIFSIGNALED(waited) ? ExitStatus{0, WTERMSIG(waited)} : ExitStatus{WEXITSTATUS(waited), 0};
}

}  // namespace

ProxyTeam::ProxyTeam(const TeamPlan& plan, bool has_labels, int number, Outputs& outputs, TeamEvents& events)
    : plan_(plan),
      has_labels_(has_labels),
      number_(number),
      outputs_(outputs),
      events_(events),
      has_ended_(static_cast<std::size_t>(plan.count)) {}

void ProxyTeam::start() {
  const ChildOutputs outputs = outputs_.open(number_);
  const int proxies = (plan_.processes + plan_.count - 1) / plan_.count;
  widen(outputs.output, proxies);
  widen(outputs.errors, proxies);
  Ends sockets = make_socket_pair();
  pid_ = fork_to_die_with_us();
  if (pid_ == 0) become_proxy(outputs, std::move(sockets.theirs));
  proxy_.emplace(std::move(sockets.ours));
}

// Nothing of the copy of kaonrun is taken down, not the folder of the run above all.
void ProxyTeam::become_proxy(const ChildOutputs& outputs, Descriptor socket) const {
  prctl(PR_SET_NAME, "kaonrun-proxy");
  outputs.take();
  try {
    close_kaonruns(socket);
    LauncherProxy(plan_, has_labels_, std::move(socket)).run();
  } catch (const std::exception&) {
    _exit(kExitOther);  // kaonrun tells who is lost
  }
  _exit(0);
}

void ProxyTeam::add_to(std::vector<pollfd>& polled) {
  first_polled_ = polled.size();
  polled.push_back(proxy_->to_poll());
}

void ProxyTeam::serve(const std::vector<pollfd>& polled) {
  const short events = polled[first_polled_].revents;
  if ((events & POLLOUT) != 0) proxy_->flush();
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) read();
}

void ProxyTeam::read() {
  while (proxy_->receive())
    while (const auto frame = proxy_->next()) handle(*frame);
}

void ProxyTeam::handle(const Frame& frame) {
  if (frame.kind == FrameKind::kFailed) throw UsageError(parse_text(frame.body));
  const ProxyBody body = parse_about(frame, plan_.first + plan_.count);
  if (body.process < plan_.first) throw CorruptMessage("a proxy speaks of a process of another");
  switch (frame.kind) {
    case FrameKind::kStarted:
      pids_.push_back(parse_number(body));
      return events_.on_started(body.process, pids_.back());
    case FrameKind::kSaid:
      return events_.on_frame(body.process, parse_passed(body));
    case FrameKind::kCorrupt:
      return events_.on_corrupt(body.process, parse_text(body.rest));
    case FrameKind::kClosed:
      return events_.on_closed(body.process);
    case FrameKind::kExited:
      has_ended(body.process) = true;
      outputs_.drain(number_, now());
      return events_.on_exit(body.process, parse_exited(body));
    default:
      throw CorruptMessage("a frame of a kind that only kaonrun sends");
  }
}

// Whichever way a proxy has ended, what it has said before is heard first.
void ProxyTeam::look_for_ends(bool only_killed) {
  int waited = 0;
  if (only_killed || is_reaped_ || waitpid(pid_, &waited, WNOHANG) != pid_) return;
  is_reaped_ = true;
  read();
  outputs_.drain(number_, now());
  if (!has_left()) lose(to_string(status_of(waited)));
}

bool ProxyTeam::has_left() const {
  return std::all_of(has_ended_.begin(), has_ended_.end(), [](bool each) { return each; });
}

// Its processes die with it, what they have started does not.
void ProxyTeam::lose(const std::string& how) {
  kill_what_is_left();
  events_.on_team_lost("kaonrun's proxy (pid " + std::to_string(pid_) + ") for " + processes_text(plan_) + " " + how);
  for (int process = plan_.first; process < plan_.first + plan_.count; ++process)
    if (!has_ended(process)) events_.on_exit(process, {0, SIGKILL});
}

// What the proxy has said last of them. Also when bytes that make no sense are why all is given up.
void ProxyTeam::hear_of_starts() {
  try {
    do
      while (const auto frame = proxy_->next())
        if (frame->kind == FrameKind::kStarted)
          pids_.push_back(parse_number(parse_about(*frame, plan_.first + plan_.count)));
    while (proxy_->receive());
  } catch (const CorruptMessage&) {
    return;  // there is no more to be heard
  }
}

// The groups of those that nobody has released: their numbers are nobody else's yet.
void ProxyTeam::kill_what_is_left() {
  for (std::size_t i = 0; i < pids_.size(); ++i)
    if (!has_ended_[i]) ::kill(-pids_[i], SIGKILL);
}

void ProxyTeam::send(int process, const Frame& frame) { proxy_->send(passed_frame(FrameKind::kTell, process, frame)); }

void ProxyTeam::kill(int process, int signal) {
  proxy_->send(signal_frame(process, signal));
  if (signal != SIGKILL || is_reaped_) return;
  if (!told_to_kill_) told_to_kill_ = now();
  if (now() - *told_to_kill_ > kKills) ::kill(pid_, SIGKILL);
}

void ProxyTeam::release(int process, bool with_what_it_started) {
  proxy_->send(release_frame(process, with_what_it_started));
}

void ProxyTeam::end_run() {
  if (!std::exchange(is_run_over_, true)) proxy_->send({FrameKind::kRunOver, {}});
}

void ProxyTeam::give_up() {
  if (pid_ <= 0 || std::exchange(is_reaped_, true)) return;
  ::kill(pid_, SIGKILL);
  reap(pid_);
  hear_of_starts();
  kill_what_is_left();
}

}  // namespace kaon::launch
