// SPDX-License-Identifier: Apache-2.0
#include "tests/support/launched_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Ends {
  Descriptor reader;
  Descriptor writer;
};

Ends make_pipe() {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Ends make_terminal() {
  Descriptor keyboard(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  REQUIRE(keyboard.is_open());
  REQUIRE(grantpt(keyboard.number()) == 0);
  REQUIRE(unlockpt(keyboard.number()) == 0);
  Descriptor terminal(open(ptsname(keyboard.number()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  REQUIRE(terminal.is_open());
  return {std::move(terminal), std::move(keyboard)};
}

std::vector<std::string> kaonrun_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{program("kaonrun")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

// As a user's terminal in the middle of a program that shows no typed characters.
void make_plain(const Descriptor& terminal) {
  termios settings{};
  REQUIRE(tcgetattr(terminal.number(), &settings) == 0);
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  REQUIRE(tcsetattr(terminal.number(), TCSANOW, &settings) == 0);
}

[[noreturn]] void become(const std::vector<std::string>& command, int input, int output, int life) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  ioctl(input, TIOCSCTTY, 0);  // fails for a pipe
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  fcntl(life, F_SETFD, 0);
  std::vector<char*> pointers;
  for (const std::string& argument : command) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  _exit(99);
}

bool is_readable(const Descriptor& descriptor, Clock::time_point until) {
  pollfd polled{descriptor.number(), POLLIN, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  return left.count() > 0 && poll(&polled, 1, static_cast<int>(left.count())) > 0;
}

// How a program has ended; 0: not by a signal.
struct End {
  int code = 0;
  int signal = 0;
};

End end_of(pid_t pid) {
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? End{WEXITSTATUS(status), 0} : End{128 + WTERMSIG(status), WTERMSIG(status)};
}

}  // namespace

LaunchedRun::LaunchedRun(const std::vector<std::string>& arguments, Input input)
    : LaunchedRun(kaonrun_command(arguments), input, Any{}) {}

LaunchedRun::LaunchedRun(const std::vector<std::string>& command, Input input, Any) {
  Ends in = input == Input::kPipe ? make_pipe() : make_terminal();
  Ends out = input == Input::kScreen ? Ends{} : make_pipe();
  Ends life = make_pipe();
  if (input == Input::kScreen) make_plain(in.reader);
  pid_ = fork();
  REQUIRE(pid_ >= 0);
  if (pid_ == 0)
    become(command, in.reader.number(), input == Input::kScreen ? in.reader.number() : out.writer.number(),
           life.writer.number());
  output_ = input == Input::kScreen ? Descriptor(dup(in.writer.number())) : std::move(out.reader);
  input_ = std::move(in.writer);
  life_ = std::move(life.reader);
}

LaunchedRun::~LaunchedRun() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void LaunchedRun::wait_for(const std::string& text, int count) {
  const auto until = Clock::now() + std::chrono::seconds(30);
  const auto found = [&] {
    int times = 0;
    for (auto at = text_.find(text); at != std::string::npos; at = text_.find(text, at + 1)) ++times;
    return times;
  };
  while (found() < count) {
    INFO(text_);
    REQUIRE(read_some(until));
  }
}

std::vector<pid_t> LaunchedRun::wait_until_ready(int processes) {
  static const std::regex kReady("ready (\\d+) pid (\\d+)\n");
  std::vector<pid_t> pids(static_cast<std::size_t>(processes));
  const auto until = Clock::now() + std::chrono::seconds(30);
  for (;;) {
    int found = 0;
    for (std::sregex_iterator line(text_.begin(), text_.end(), kReady), end; line != end; ++line, ++found)
      pids.at(std::stoul((*line)[1])) = std::stoi((*line)[2]);
    if (found == processes) return pids;
    INFO(text_);
    REQUIRE(read_some(until));
  }
}

void LaunchedRun::wait_until_said(std::string_view text) {
  const auto until = Clock::now() + std::chrono::seconds(30);
  while (text_.find(text) == text_.npos) {
    INFO(text_);
    REQUIRE(read_some(until));
  }
}

void LaunchedRun::signal(int signal) const { REQUIRE(kill(pid_, signal) == 0); }

void LaunchedRun::type(std::string_view text) const {
  REQUIRE(write(input_.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

void LaunchedRun::wait_until_half_full() const {
  const int most = fcntl(output_.number(), F_GETPIPE_SZ);
  const auto until = Clock::now() + std::chrono::seconds(30);
  int bytes = 0;
  while (bytes < most / 2 && Clock::now() < until && ioctl(output_.number(), FIONREAD, &bytes) == 0) sched_yield();
  REQUIRE(bytes >= most / 2);
}

Outcome LaunchedRun::finish(std::chrono::milliseconds limit) {
  const auto start = Clock::now();
  while (read_some(start + limit)) {
  }
  INFO(text_);
  REQUIRE_FALSE(output_.is_open());
  REQUIRE(is_readable(life_, start + limit));  // otherwise something of the run still lives
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  const End end = end_of(std::exchange(pid_, -1));
  return {text_, end.code, end.signal, time};
}

// False at the end, or when the time is over.
bool LaunchedRun::read_some(Clock::time_point until) {
  if (!is_readable(output_, until)) return false;
  std::array<char, 4096> buffer;
  const ssize_t bytes = read(output_.number(), buffer.data(), buffer.size());
  if (bytes <= 0) {
    output_.close();
    return false;
  }
  text_.append(buffer.data(), static_cast<std::size_t>(bytes));
  return true;
}

std::string peer_program() { return test_program("launch_peer"); }

}  // namespace kaon::testing
