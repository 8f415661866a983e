// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "kaon/runtime/launch/exit_status.hpp"
#include "kaon/runtime/launch/frame.hpp"

namespace kaon::launch {

// The bodies of the frames between kaonrun and its proxies, which begin with the process that they are about. Each
// parse function throws CorruptMessage when the body is not one of its kind.

// What a frame of theirs is about: a process, and as much of the body as is left.
struct ProxyBody {
  int process = 0;
  std::span<const std::byte> rest;  // of the frame
};

Frame about(int process, FrameKind kind);
Frame started_frame(int process, pid_t pid);
// `kind` is kSaid or kTell: `frame` on its way from or to a process.
Frame passed_frame(FrameKind kind, int process, const Frame& frame);
Frame corrupt_frame(int process, std::string_view what);
Frame exited_frame(int process, ExitStatus status);
Frame failed_frame(std::string_view text);
Frame signal_frame(int process, int signal);
Frame release_frame(int process, bool with_what_it_started);

ProxyBody parse_about(const Frame& frame, int processes);
int parse_number(const ProxyBody& body);  // of kStarted, kSignal, kRelease
Frame parse_passed(const ProxyBody& body);
ExitStatus parse_exited(const ProxyBody& body);
std::string parse_text(std::span<const std::byte> text);

}  // namespace kaon::launch
