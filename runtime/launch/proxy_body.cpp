// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/proxy_body.hpp"

#include <cstdint>
#include <span>

#include "kaon/runtime/launch/frame_bytes.hpp"

namespace kaon::launch {
namespace {

Frame with_number(int process, FrameKind kind, int number) {
  Frame frame = about(process, kind);
  append(frame.body, std::int32_t{number});
  return frame;
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

Frame about(int process, FrameKind kind) {
  Frame frame{kind, {}};
  append(frame.body, std::int32_t{process});
  return frame;
}

Frame started_frame(int process, pid_t pid) { return with_number(process, FrameKind::kStarted, pid); }

Frame passed_frame(FrameKind kind, int process, const Frame& frame) {
  Frame passed = about(process, kind);
  append(passed.body, frame.kind);
  append_bytes(passed.body, frame.body);
  return passed;
}

Frame corrupt_frame(int process, std::string_view what) {
  Frame frame = about(process, FrameKind::kCorrupt);
  append_bytes(frame.body, bytes_of(what));
  return frame;
}

Frame exited_frame(int process, ExitStatus status) {
  Frame frame = about(process, FrameKind::kExited);
  append(frame.body, std::int32_t{status.code});
  append(frame.body, std::int32_t{status.signal});
  append(frame.body, std::int32_t{status.is_for_memory ? 1 : 0});
  return frame;
}

Frame failed_frame(std::string_view text) {
  Frame frame{FrameKind::kFailed, {}};
  append_bytes(frame.body, bytes_of(text));
  return frame;
}

Frame signal_frame(int process, int signal) { return with_number(process, FrameKind::kSignal, signal); }

Frame release_frame(int process, bool with_what_it_started) {
  return with_number(process, FrameKind::kRelease, with_what_it_started ? 1 : 0);
}

ProxyBody parse_about(const Frame& frame, int processes) {
  ProxyBody body{0, frame.body};
  body.process = take_process(body.rest, processes);
  return body;
}

int parse_number(const ProxyBody& body) {
  std::span<const std::byte> rest = body.rest;
  const auto number = take<std::int32_t>(rest);
  check_end(rest);
  return number;
}

Frame parse_passed(const ProxyBody& body) {
  std::span<const std::byte> rest = body.rest;
  const auto kind = take<FrameKind>(rest);
  return {kind, std::vector<std::byte>(rest.begin(), rest.end())};
}

ExitStatus parse_exited(const ProxyBody& body) {
  std::span<const std::byte> rest = body.rest;
  ExitStatus status;
  status.code = take<std::int32_t>(rest);
  status.signal = take<std::int32_t>(rest);
  status.is_for_memory = take<std::int32_t>(rest) != 0;
  check_end(rest);
  return status;
}

std::string parse_text(std::span<const std::byte> text) {
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

}  // namespace kaon::launch
