// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/socket_bootstrap.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/launch/final_words.hpp"
#include "kaon/runtime/launch/frame_body.hpp"

namespace kaon::launch {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kHeartbeat{500};
// How long a call waits for an answer that kaonrun gives at once, or for its last words to be taken.
constexpr milliseconds kAnswer{2000};
// How long kaonrun may take for its first words, which it has sent before.
constexpr milliseconds kWelcome{10000};

void wait_for(const Connection& connection, int events, int limit_ms) {
  pollfd polled{connection.descriptor(), static_cast<short>(events), 0};
  poll(&polled, 1, limit_ms);
}

int wait_ms(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::max(left, milliseconds(0)).count());
}

// The welcome was sent before this process began. A second Kaon program in its place finds it taken, and is told to
// end.
std::optional<WelcomeBody> read_welcome(Connection& connection) {
  const auto until = std::chrono::steady_clock::now() + kWelcome;
  while (connection.is_open() && wait_ms(until) > 0) {
    wait_for(connection, POLLIN, wait_ms(until));
    connection.receive();
    while (const auto frame = connection.next()) {
      if (frame->kind == FrameKind::kWelcome) return parse_welcome(*frame);
      if (frame->kind == FrameKind::kEnd) _exit(parse_end(*frame).code);  // kaonrun has told why, once for all
    }
  }
  return std::nullopt;
}

WelcomeBody join(Connection& connection) {
  connection.send(join_frame(getpid()));
  try {
    if (const auto welcome = read_welcome(connection)) return *welcome;
  } catch (const CorruptMessage& error) {
    throw UsageError(std::string("kaonrun and this program do not understand each other (") + error.what() +
                     "): are both of one version of Kaon?");
  }
  throw UsageError(
      "kaonrun does not say who this process is in its run; whatever runs between the two must pass the descriptor of "
      "KAON_BOOTSTRAP_FD on and leave it alone");
}

}  // namespace

SocketBootstrap::SocketBootstrap(Descriptor socket)
    : connection_(std::move(socket)),
      welcome_(join(connection_)),
      thread_(start_without_signals([this] { serve(); })) {}

SocketBootstrap::~SocketBootstrap() {
  is_stopping_.store(true, std::memory_order_relaxed);
  wake_.ring();
  thread_.join();
}

void SocketBootstrap::put(std::uint64_t program_hash, std::vector<std::byte> blob) {
  if (blob.size() > kMaxBodyBytes - kMaxAroundBytes)
    throw UsageError("the contact data of this process has " + std::to_string(blob.size()) +
                     " bytes, more than a frame carries; use fewer PEs for each process");
  const Lock lock(mutex_);
  send(lock, put_frame(program_hash, blob));
  blobs_[seat().process] = std::move(blob);
}

void SocketBootstrap::fence(milliseconds timeout) {
  Lock lock(mutex_);
  const auto is_complete = [this] { return all_put_; };
  if (timeout == kLauncherDecides)
    changed_.wait(lock, is_complete);
  else if (!changed_.wait_for(lock, timeout, is_complete))
    throw_missing(lock, timeout);
}

void SocketBootstrap::throw_missing(Lock& lock, milliseconds timeout) {
  send(lock, {FrameKind::kAskMissing, {}});
  changed_.wait_for(lock, kAnswer, [this] { return missing_.has_value(); });
  std::string names;
  for (const int process : missing_.value_or(std::vector<int>{}))
    names += (names.empty() ? "process " : ", process ") + std::to_string(process);
  if (names.empty()) names = "kaonrun, which has to tell who is missing,";
  throw LostPeer(names + " did not join the run within " + std::to_string(timeout.count()) +
                 " ms; do all processes run the same program, and does it call kaon::run()?");
}

std::vector<std::byte> SocketBootstrap::get(int process) {
  if (process < 0 || process >= seat().processes)
    throw UsageError("there is no process " + std::to_string(process) + " among " + std::to_string(seat().processes));
  Lock lock(mutex_);
  if (!blobs_.contains(process)) send(lock, get_frame(process));
  changed_.wait(lock, [&] { return blobs_.contains(process); });
  return blobs_[process];
}

void SocketBootstrap::arrive() {
  const Lock lock(mutex_);
  send(lock, {FrameKind::kArrive, {}});
}

bool SocketBootstrap::is_released() { return is_released_.load(std::memory_order_acquire); }

void SocketBootstrap::abort(int code, std::string_view text) {
  flush_output(kFlush);  // before all are told to end
  Lock lock(mutex_);
  is_aborting_ = true;
  send(lock, end_frame(FrameKind::kAbort, code, text));
  finish_sending(lock);
  // kaonrun tells the user, once however many processes came to the same end, and then ends this one too.
  changed_.wait_for(lock, kAnswer, [this] { return !connection_.is_open(); });
  say_as(seat(), text);
  _exit(code);
}

void SocketBootstrap::send(const Lock&, const Frame& frame) {
  connection_.send(frame);
  if (connection_.has_unsent()) wake_.ring();
}

void SocketBootstrap::finish_sending(const Lock&) {
  const Time until = std::chrono::steady_clock::now() + kAnswer;
  while (connection_.has_unsent() && wait_ms(until) > 0) {
    wait_for(connection_, POLLOUT, wait_ms(until));
    connection_.flush();
  }
}

void SocketBootstrap::serve() {
  Time next_beat = std::chrono::steady_clock::now();
  // First of all, there may be what has come with the welcome.
  while (serve_socket() && !is_stopping_.load(std::memory_order_relaxed)) {
    if (std::chrono::steady_clock::now() >= next_beat) {
      beat();
      next_beat = std::chrono::steady_clock::now() + kHeartbeat;
    }
    wait_for_events(next_beat);
  }
}

// What could not be sent yet says as well that we live.
void SocketBootstrap::beat() {
  const Lock lock(mutex_);
  if (!connection_.has_unsent()) connection_.send({FrameKind::kHeartbeat, {}});
}

void SocketBootstrap::wait_for_events(Time until) {
  std::array<pollfd, 3> polled{};
  {
    const Lock lock(mutex_);
    polled[0] = connection_.to_poll();
  }
  polled[1] = {wake_.descriptor(), POLLIN, 0};
  polled[2] = {interruption_.descriptor(), POLLIN, 0};
  poll(polled.data(), polled.size(), wait_ms(until));
  wake_.quiet();
  if (interruption_.has_come()) interruption_.obey();
}

bool SocketBootstrap::serve_socket() {
  const Lock lock(mutex_);
  connection_.flush();
  try {
    do
      while (const auto frame = connection_.next()) handle(*frame);
    while (connection_.receive());
  } catch (const CorruptMessage& error) {
    end(exit_code(error), std::string("kaonrun sent bytes that make no sense: ") + error.what());
  }
  if (connection_.is_open()) return true;
  if (!is_released() && !is_aborting_) end(kExitLostPeer, "kaonrun is gone");
  changed_.notify_all();
  return false;
}

void SocketBootstrap::handle(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kAllPut:
      all_put_ = true;
      break;
    case FrameKind::kMissing:
      missing_ = parse_missing(frame, seat().processes);
      break;
    case FrameKind::kReleased:
      is_released_.store(true, std::memory_order_release);
      break;
    case FrameKind::kBlob: {
      BlobBody body = parse_blob(frame, seat().processes);
      blobs_[body.process] = std::move(body.blob);
      break;
    }
    case FrameKind::kEnd: {
      const EndBody body = parse_end(frame);
      end(body.code, {});  // kaonrun has told why, once for all
    }
    default:
      throw CorruptMessage("a frame of a kind that only a process sends");
  }
  changed_.notify_all();
}

// Nothing of the network or the devices is taken down: it might wait for whoever is lost.
void SocketBootstrap::end(int code, std::string_view reason) const {
  flush_output(kFlush);
  if (!reason.empty() && !is_aborting_) say_as(seat(), "ended because " + std::string(reason));
  _exit(code);
}

}  // namespace kaon::launch
