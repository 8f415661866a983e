// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::ampi {

class Window;

/// Something that one rank of a window lets another know.
enum class SignalKind : std::uint8_t {
  lock_shared,         // the origin wants the target's lock
  lock_exclusive,      //
  granted,             // to the origin: it has the lock
  released_shared,     // the origin gives the lock back
  released_exclusive,  //
  serve,               // the origin has given it back in memory, and requests are queued
  posted,              // to an origin: it may access the window
  completed,           // to a target: the origin's accesses are done
};

struct Signal {
  std::uint64_t window = 0;  // see Window::context
  std::int32_t to = 0;       // rank in the run
  std::uint32_t ranks = 0;   // the collection of the ranks
  std::int32_t from = 0;     // member of the window
  SignalKind kind = SignalKind::serve;
};

void send_signal(Window& window, int member, SignalKind kind);

}  // namespace kaon::ampi
