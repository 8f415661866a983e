// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/launch/frame.hpp"
#include "kaon/runtime/ports/seat.hpp"
#include "kaon/runtime/ports/secret.hpp"
#include "kaon/runtime/ports/shared_folder.hpp"

namespace kaon::launch {

// The bodies of frames. Each parse function throws CorruptMessage when the body is not one of its kind.

struct WelcomeBody {
  Seat seat;
  Secret secret{};
  SharedFolder folder;
};

struct ContactBody {
  std::uint64_t program_hash = 0;
  std::vector<std::byte> blob;
};

struct BlobBody {
  int process = 0;
  std::vector<std::byte> blob;
};

struct EndBody {
  int code = 0;
  std::string text;  // empty: end without a word
};

Frame join_frame(pid_t pid);
Frame welcome_frame(const WelcomeBody& welcome);
Frame put_frame(std::uint64_t program_hash, std::span<const std::byte> blob);
Frame get_frame(int process);
Frame blob_frame(int process, std::span<const std::byte> blob);
Frame missing_frame(std::span<const int> processes);
// `kind` is kAbort or kEnd. A long text is cut.
Frame end_frame(FrameKind kind, int code, std::string_view text);

pid_t parse_join(const Frame& frame);
WelcomeBody parse_welcome(const Frame& frame);
ContactBody parse_put(const Frame& frame);
int parse_get(const Frame& frame, int processes);
BlobBody parse_blob(const Frame& frame, int processes);
std::vector<int> parse_missing(const Frame& frame, int processes);
EndBody parse_end(const Frame& frame);
// For the kinds that say all by their kind.
void parse_empty(const Frame& frame);

}  // namespace kaon::launch
