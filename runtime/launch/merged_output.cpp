// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/merged_output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

// Beyond it processes wait until kaonrun's reader has taken some.
constexpr std::size_t kMostUnwritten = std::size_t{1} << 20;

// More than a pipe holds, so that who goes on writing does not keep us.
constexpr int kMostReads = 32;

void make_non_blocking(const Descriptor& descriptor) {
  fcntl(descriptor.number(), F_SETFL, fcntl(descriptor.number(), F_GETFL) | O_NONBLOCK);
}

// What is written into it comes out as it is: the user's terminal does the rest.
void make_plain(int terminal, int model) {
  termios settings{};
  tcgetattr(terminal, &settings);
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(terminal, TCSANOW, &settings);
  winsize size{};
  if (ioctl(model, TIOCGWINSZ, &size) == 0) ioctl(terminal, TIOCSWINSZ, &size);
}

}  // namespace

MergedOutput::MergedOutput(int descriptor, int processes, bool has_labels)
    : is_terminal_(isatty(descriptor) != 0),
      file_(descriptor),
      merger_(processes, is_terminal_ ? LineMerger::Lines::prompt : LineMerger::Lines::whole, has_labels, file_) {}

Descriptor MergedOutput::open(int process) {
  Descriptor ours;
  Descriptor theirs = is_terminal_ ? open_terminal(ours) : Descriptor{};
  if (!theirs.is_open()) theirs = open_pipe(ours);
  make_non_blocking(ours);
  sources_.push_back({std::move(ours), process});
  return theirs;
}

Descriptor MergedOutput::open_pipe(Descriptor& ours) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw UsageError(std::string("cannot open a pipe for the output of each process: ") + std::strerror(errno) +
                     "; start fewer processes, or raise `ulimit -n`");
  ours = Descriptor(ends[0]);
  return Descriptor(ends[1]);
}

// Not open where the system has none to give.
Descriptor MergedOutput::open_terminal(Descriptor& ours) {
  ours = Descriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!ours.is_open() || grantpt(ours.number()) != 0 || unlockpt(ours.number()) != 0) return {};
  std::array<char, 64> name{};
  if (ptsname_r(ours.number(), name.data(), name.size()) != 0) return {};
  Descriptor theirs(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (theirs.is_open()) make_plain(theirs.number(), file_.descriptor());
  return theirs;
}

void MergedOutput::add_to(std::vector<pollfd>& polled, bool takes_all) {
  std::erase_if(sources_, [](const Source& source) { return !source.end.is_open(); });
  first_polled_ = polled.size();
  polled.push_back({file_.unwritten() > 0 ? file_.descriptor() : -1, POLLOUT, 0});
  const bool is_full = file_.unwritten() > kMostUnwritten && !takes_all;
  for (const Source& source : sources_) polled.push_back({is_full ? -1 : source.end.number(), POLLIN, 0});
}

void MergedOutput::serve(const std::vector<pollfd>& polled, Time now) {
  if (polled[first_polled_].revents != 0) file_.flush();
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (polled[first_polled_ + 1 + i].revents != 0) read(sources_[i], now);
  merger_.tick(now);
}

int MergedOutput::wait_ms(Time now, int most) const {
  if (!merger_.is_waiting()) return most;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(merger_.wakes_at() - now).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, most));
}

// False: there was nothing, or it has ended. A terminal whose other end is closed gives an error.
bool MergedOutput::read(Source& source, Time now) {
  static std::array<char, 65536> buffer;  // of the only thread
  const ssize_t bytes = ::read(source.end.number(), buffer.data(), buffer.size());
  if (bytes > 0) {
    merger_.feed(source.process, {buffer.data(), static_cast<std::size_t>(bytes)}, now);
    return true;
  }
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  source.end.close();
  merger_.close(source.process);
  return false;
}

void MergedOutput::read_until_empty(Source& source, Time now) {
  for (int reads = 0; reads < kMostReads && source.end.is_open() && read(source, now); ++reads) {
  }
}

void MergedOutput::drain(int process, Time now) {
  for (Source& source : sources_)
    if (source.process == process) read_until_empty(source, now);
}

void MergedOutput::drain_all(Time now) {
  for (Source& source : sources_) read_until_empty(source, now);
}

void MergedOutput::finish(Time now) {
  for (Source& source : sources_) {
    read_until_empty(source, now);
    if (source.end.is_open()) merger_.close(source.process);  // what a process has left behind may have it still
  }
  sources_.clear();
  merger_.finish();
}

}  // namespace kaon::launch
