// SPDX-License-Identifier: Apache-2.0
#include "tests/support/launched_run.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <regex>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.hpp"

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

[[noreturn]] void become_kaonrun(const std::vector<std::string>& arguments, int input, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  ioctl(input, TIOCSCTTY, 0);  // fails for a pipe
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  std::string program = KAON_BIN_DIR "/kaonrun";
  std::vector<char*> pointers{program.data()};
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  _exit(99);
}

int exit_code_of(pid_t pid) {
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

LaunchedRun::LaunchedRun(const std::vector<std::string>& arguments, Input input) {
  Ends in = input == Input::kTerminal ? make_terminal() : make_pipe();
  Ends out = make_pipe();
  pid_ = fork();
  REQUIRE(pid_ >= 0);
  if (pid_ == 0) become_kaonrun(arguments, in.reader.number(), out.writer.number());
  input_ = std::move(in.writer);
  output_ = std::move(out.reader);
}

LaunchedRun::~LaunchedRun() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
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

void LaunchedRun::signal(int signal) const { REQUIRE(kill(pid_, signal) == 0); }

void LaunchedRun::type(std::string_view text) const {
  REQUIRE(write(input_.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

Outcome LaunchedRun::finish(std::chrono::milliseconds limit) {
  const auto start = Clock::now();
  while (read_some(start + limit)) {
  }
  INFO(text_);
  REQUIRE_FALSE(output_.is_open());  // otherwise something of the run still lives
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  return {text_, exit_code_of(std::exchange(pid_, -1)), time};
}

// False at the end, or when the time is over.
bool LaunchedRun::read_some(Clock::time_point until) {
  pollfd polled{output_.number(), POLLIN, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  if (left.count() <= 0 || poll(&polled, 1, static_cast<int>(left.count())) <= 0) return false;
  std::array<char, 4096> buffer;
  const ssize_t bytes = read(output_.number(), buffer.data(), buffer.size());
  if (bytes <= 0) {
    output_.close();
    return false;
  }
  text_.append(buffer.data(), static_cast<std::size_t>(bytes));
  return true;
}

std::string peer_program() { return KAON_TEST_BIN_DIR "/launch_peer"; }

}  // namespace kaon::testing
