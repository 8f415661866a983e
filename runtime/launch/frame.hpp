// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// What a process and kaonrun tell each other.
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
