// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/frame_body.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/frame_bytes.hpp"

namespace kaon::launch {
namespace {

constexpr std::size_t kMaxTextBytes = 4096;

// A terminal must not be steered by what another process sends.
char printable(std::byte byte) {
  const char character = static_cast<char>(byte);
  return static_cast<unsigned char>(character) < 0x20 && character != '\n' && character != '\t' ? '?' : character;
}

}  // namespace

Frame join_frame(pid_t pid) {
  Frame frame{FrameKind::kJoin, {}};
  append(frame.body, std::int32_t{pid});
  return frame;
}

Frame welcome_frame(const WelcomeBody& welcome) {
  Frame frame{FrameKind::kWelcome, {}};
  append(frame.body, std::int32_t{welcome.seat.process});
  append(frame.body, std::int32_t{welcome.seat.processes});
  append_bytes(frame.body, welcome.secret);
  append(frame.body, welcome.folder.free_bytes);
  append_bytes(frame.body, std::as_bytes(std::span(welcome.folder.path)));
  return frame;
}

Frame put_frame(std::uint64_t program_hash, std::span<const std::byte> blob) {
  Frame frame{FrameKind::kPut, {}};
  append(frame.body, program_hash);
  append_bytes(frame.body, blob);
  return frame;
}

Frame get_frame(int process) {
  Frame frame{FrameKind::kGet, {}};
  append(frame.body, std::int32_t{process});
  return frame;
}

Frame blob_frame(int process, std::span<const std::byte> blob) {
  Frame frame{FrameKind::kBlob, {}};
  append(frame.body, std::int32_t{process});
  append_bytes(frame.body, blob);
  return frame;
}

Frame missing_frame(std::span<const int> processes) {
  Frame frame{FrameKind::kMissing, {}};
  for (const int process : processes) append(frame.body, std::int32_t{process});
  return frame;
}

Frame end_frame(FrameKind kind, int code, std::string_view text) {
  Frame frame{kind, {}};
  append(frame.body, std::int32_t{code});
  append_bytes(frame.body, std::as_bytes(std::span(text.substr(0, kMaxTextBytes))));
  return frame;
}

pid_t parse_join(const Frame& frame) {
  std::span<const std::byte> body = frame.body;
  const auto pid = take<std::int32_t>(body);
  check_end(body);
  if (pid <= 0) throw CorruptMessage("a process says that its pid is " + std::to_string(pid));
  return pid;
}

WelcomeBody parse_welcome(const Frame& frame) {
  std::span<const std::byte> body = frame.body;
  const auto process = take<std::int32_t>(body);
  const auto processes = take<std::int32_t>(body);
  const auto secret = take<Secret>(body);
  const auto free_bytes = take<std::uint64_t>(body);
  const std::string path(reinterpret_cast<const char*>(body.data()), body.size());
  if (process < 0 || process >= processes)
    throw CorruptMessage("a frame says that this is process " + std::to_string(process) + " of " +
                         std::to_string(processes));
  return {seat_on_one_host(process, processes), secret, {path, free_bytes}};
}

ContactBody parse_put(const Frame& frame) {
  std::span<const std::byte> body = frame.body;
  const auto program_hash = take<std::uint64_t>(body);
  return {program_hash, std::vector<std::byte>(body.begin(), body.end())};
}

int parse_get(const Frame& frame, int processes) {
  std::span<const std::byte> body = frame.body;
  const int process = take_process(body, processes);
  check_end(body);
  return process;
}

BlobBody parse_blob(const Frame& frame, int processes) {
  std::span<const std::byte> body = frame.body;
  const int process = take_process(body, processes);
  return {process, std::vector<std::byte>(body.begin(), body.end())};
}

std::vector<int> parse_missing(const Frame& frame, int processes) {
  std::span<const std::byte> body = frame.body;
  std::vector<int> missing;
  while (!body.empty()) missing.push_back(take_process(body, processes));
  return missing;
}

EndBody parse_end(const Frame& frame) {
  std::span<const std::byte> body = frame.body;
  EndBody end;
  end.code = take<std::int32_t>(body);
  if (body.size() > kMaxTextBytes) throw CorruptMessage("the text of a frame is too long");
  for (const std::byte byte : body) end.text += printable(byte);
  return end;
}

void parse_empty(const Frame& frame) { check_end(frame.body); }

}  // namespace kaon::launch
