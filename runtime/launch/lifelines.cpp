// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/lifelines.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/interfaces.hpp"
#include "kaon/runtime/base/no_port.hpp"
#include "kaon/runtime/ports/connection_code.hpp"

namespace kaon::launch {
namespace {

constexpr int kBelow = 16;              // each process, at most
constexpr std::size_t kStrangers = 64;  // that have not said who they are, at most
constexpr auto kConnectTime = std::chrono::seconds{30};
constexpr int kSilentSeconds = 30;               // for which the system itself keeps a connection that has sent nothing
constexpr std::chrono::milliseconds kPause{10};  // until another attempt to connect
constexpr std::chrono::milliseconds kShortage{10};  // of descriptors: until one is looked for again
constexpr std::byte kFarewell{'F'};
constexpr std::size_t kIntroduction = sizeof(ConnectionCode) + sizeof(std::int32_t);

using Clock = std::chrono::steady_clock;

void set(int socket, int level, int option, int value) { setsockopt(socket, level, option, &value, sizeof value); }

// 15 s without an answer to the first probe, and the other host is taken for lost: 15 to 20 s after the link has
// failed.
void probe(int socket) {
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 5);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

const sockaddr* as_address(std::span<const std::byte> bytes) { return reinterpret_cast<const sockaddr*>(bytes.data()); }

bool is_ready(int socket, short events, Clock::time_point until) {
  pollfd polled{socket, events, 0};
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    ready = poll(&polled, 1, static_cast<int>(std::max<decltype(left)>(left, 0)));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0;
}

bool connect_to(int socket, std::span<const std::byte> address, Clock::time_point until) {
  if (connect(socket, as_address(address), static_cast<socklen_t>(address.size())) == 0) return true;
  if (errno != EINPROGRESS || !is_ready(socket, POLLOUT, until)) return false;
  int error = 0;
  socklen_t bytes = sizeof error;
  if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0) errno = error;
  return error == 0;
}

bool introduce(int socket, std::int32_t process, const Secret& secret) {
  const auto code = own_code(socket, ConnectionEnd::opened, secret);
  std::array<std::byte, kIntroduction> words;
  if (!code) return false;
  std::memcpy(words.data(), code->data(), code->size());
  std::memcpy(words.data() + code->size(), &process, sizeof process);
  return ::send(socket, words.data(), words.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(words.size());
}

}  // namespace

std::optional<int> Lifelines::above(int process) {
  if (process == 0) return std::nullopt;
  return (process - 1) / kBelow;
}

int Lifelines::count_below() const { return std::clamp(processes_ - 1 - process_ * kBelow, 0, kBelow); }

Lifelines::Lifelines(int process, int processes, const Secret& secret, const std::string& interfaces, Lost lost)
    : process_(process), processes_(processes), secret_(secret), lost_(std::move(lost)) {
  if (count_below() > 0) listen_at(interfaces);
  thread_ = start_without_signals([this] { serve(); });
}

Lifelines::~Lifelines() {
  {
    const std::lock_guard hold(mutex_);
    is_over_ = true;
    static_cast<void>(accept_some());  // who has just come would take the end of the listener for ours
    for (Line& line : lines_) {
      if (line.process < 0) static_cast<void>(read(line));
      if (line.process >= 0)  // there is room for one byte, or nobody to take it
        static_cast<void>(::send(line.socket.number(), &kFarewell, 1, MSG_NOSIGNAL | MSG_DONTWAIT));
    }
  }
  wake_.ring();
  thread_.join();
}

void Lifelines::listen_at(const std::string& interfaces) {
  address_ = Interfaces(interfaces).address();
  if (address_.empty())
    throw UsageError("no interface of --interface " + interfaces + " has an address of the internet");
  listener_ = Descriptor(socket(as_address(address_)->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  auto bytes = static_cast<socklen_t>(address_.size());
  auto* address = reinterpret_cast<sockaddr*>(address_.data());
  if (listener_.is_open()) set(listener_.number(), IPPROTO_TCP, TCP_DEFER_ACCEPT, kSilentSeconds);
  if (listener_.is_open() && bind(listener_.number(), address, bytes) == 0 &&
      listen(listener_.number(), SOMAXCONN) == 0 && getsockname(listener_.number(), address, &bytes) == 0)
    return;
  if (errno == EADDRINUSE) throw_no_port("listening at the interface " + interfaces);
  throw UsageError("cannot listen at the interface " + interfaces + ": " + std::strerror(errno));
}

void Lifelines::hold(int process, std::span<const std::byte> address) {
  Descriptor line = connect_above(process, address);
  probe(line.number());
  {
    const std::lock_guard hold(mutex_);
    lines_.push_back({std::move(line), process, {}});
  }
  wake_.ring();
}

// A connection that ends without an answer was taken for a stranger's, of which there were too many: it is made again.
Descriptor Lifelines::connect_above(int process, std::span<const std::byte> address) const {
  const std::string name = "process " + std::to_string(process);
  const auto until = Clock::now() + kConnectTime;
  do {
    Descriptor line(socket(address.empty() ? AF_INET : as_address(address)->sa_family,
                           SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (address.empty() || !connect_to(line.number(), address, until)) break;
    const auto wait = [&] { return is_ready(line.number(), POLLIN, until); };
    const Answer answer =
        introduce(line.number(), process_, secret_) ? take_answer(line.number(), secret_, wait) : Answer::none;
    if (answer == Answer::right) return line;
    if (answer == Answer::wrong)
      throw LostPeer(name + " has not proved that it belongs to this run: has it ended, and another program its port?");
    std::this_thread::sleep_for(kPause);
  } while (Clock::now() < until);
  if (errno == EADDRNOTAVAIL) throw_no_port("connecting to " + name);
  throw LostPeer(name + " cannot be reached (" + std::strerror(errno) +
                 "): does --interface name the network that joins all hosts of this run?");
}

void Lifelines::serve() {
  for (;;) {
    std::vector<pollfd> polled{{wake_.descriptor(), POLLIN, 0}};
    {
      const std::lock_guard hold(mutex_);
      if (is_over_) return;
      polled.push_back({listener_.is_open() ? listener_.number() : -1, POLLIN, 0});
      for (const Line& line : lines_) polled.push_back({line.socket.number(), POLLIN, 0});
    }
    if (poll(polled.data(), polled.size(), -1) < 0) continue;
    wake_.quiet();
    int lost = -1;
    bool has_room = true;
    {
      const std::lock_guard hold(mutex_);
      for (std::size_t i = polled.size(); i-- > 2;) {  // others were added behind these
        if (polled[i].revents == 0 || read(lines_[i - 2])) continue;
        if (!is_over_ && lines_[i - 2].process >= 0 && lines_[i - 2].said.empty()) lost = lines_[i - 2].process;
        lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(i - 2));
      }
      if (polled[1].revents != 0) has_room = accept_some();
    }
    if (!has_room) std::this_thread::sleep_for(kShortage);
    if (lost >= 0) lost_(lost);
  }
}

// False: the process has no descriptor left for who waits.
bool Lifelines::accept_some() {
  while (listener_.is_open()) {
    Descriptor line(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!line.is_open()) return errno != EMFILE && errno != ENFILE;
    probe(line.number());
    lines_.push_back({std::move(line), -1, {}});
    if (!read(lines_.back())) lines_.pop_back();  // whoever belongs here has said so with its first bytes
    drop_oldest_stranger();
  }
  return true;
}

// Not the newest: a stranger who says nothing, often enough, would keep out who belongs here.
void Lifelines::drop_oldest_stranger() {
  const auto is_stranger = [](const Line& line) { return line.process < 0; };
  if (static_cast<std::size_t>(std::ranges::count_if(lines_, is_stranger)) <= kStrangers) return;
  lines_.erase(std::ranges::find_if(lines_, is_stranger));
}

// False: nothing more will come. A known process that has said farewell leaves that byte in `said`.
bool Lifelines::read(Line& line) {
  std::array<std::byte, kIntroduction> bytes;
  const std::size_t wanted = line.process >= 0 ? 1 : kIntroduction - line.said.size();
  const ssize_t count = recv(line.socket.number(), bytes.data(), wanted, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (count <= 0) return false;
  line.said.insert(line.said.end(), bytes.begin(), bytes.begin() + count);
  if (line.process >= 0) return false;
  return line.said.size() < kIntroduction || is_introduction(line);
}

bool Lifelines::is_introduction(Line& line) {
  const int socket = line.socket.number();
  const auto expected = expected_code(socket, ConnectionEnd::accepted, secret_);
  ConnectionCode code{};
  std::int32_t process = -1;
  std::memcpy(code.data(), line.said.data(), code.size());
  std::memcpy(&process, line.said.data() + code.size(), sizeof process);
  if (!expected || !is_same(code, *expected) || !awaits(process)) return false;
  if (!send_code(socket, ConnectionEnd::accepted, secret_)) return false;
  line.process = process;
  line.said.clear();
  if (++below_ == count_below()) listener_.close();
  return true;
}

bool Lifelines::awaits(int process) const {
  if (process <= 0 || process >= processes_ || above(process) != process_) return false;
  return std::none_of(lines_.begin(), lines_.end(), [process](const Line& line) { return line.process == process; });
}

}  // namespace kaon::launch
