// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// What a process and kaonrun tell each other, and what kaonrun and its proxies do.
enum class FrameKind : std::uint16_t {
  // process -> kaonrun
  kHeartbeat = 1,  // nothing else: I run
  kJoin,           // pid: a Kaon program has begun
  kPut,            // hash of the program, contact data
  kAskMissing,     // who has not put?
  kGet,            // whose contact data is wanted
  kArrive,         // I am in the barrier at the end
  kAbort,          // code, text: end the run
  // kaonrun -> process
  kWelcome,   // the first: who you are, the secret and the folder of the run
  kAllPut,    // fence passed
  kMissing,   // the processes that have not put
  kBlob,      // process, its contact data
  kReleased,  // all are in the barrier at the end
  kEnd,       // code, text: end now
  // proxy -> kaonrun, of one process each but for the last
  kStarted,  // pid
  kSaid,     // a frame of its
  kCorrupt,  // text: it sent bytes that make no sense
  kClosed,   // its socket
  kExited,   // code, signal, whether for memory
  kFailed,   // text: the processes cannot be started
  // kaonrun -> proxy, for one process each but for the last
  kTell,     // a frame for it
  kSignal,   // signal: to it and what it has started
  kRelease,  // whether what it has started ends, too
  kRunOver,  // all processes of the run have ended
};

struct Frame {
  FrameKind kind = FrameKind::kHeartbeat;
  std::vector<std::byte> body;
};

// On the socket a frame is {body bytes: 4, kFrameMark: 2, kind: 2, body}, in the order of bytes of this machine.
inline constexpr std::size_t kFrameHeaderBytes = 8;
inline constexpr std::uint16_t kFrameMark = 0x6b4b;
// Contact data of some hundred PEs is well below.
inline constexpr std::size_t kMaxBodyBytes = std::size_t{16} << 20;
// Of it, what the kinds need beside what they carry.
inline constexpr std::size_t kMaxAroundBytes = 32;

std::vector<std::byte> encode(const Frame& frame);

}  // namespace kaon::launch
