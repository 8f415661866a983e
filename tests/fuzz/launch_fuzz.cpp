// SPDX-License-Identifier: Apache-2.0
// What a process may send to kaonrun, and kaonrun to a process: any bytes, in any pieces. The first byte is
// the length of the pieces. When it is odd the rest is the stream, otherwise frames of {kind, body bytes, body}, so
// that the bodies are reached at once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/frame_body.hpp"
#include "kaon/runtime/launch/frame_decoder.hpp"
#include "kaon/runtime/launch/supervisor.hpp"

namespace {

using namespace kaon::testing;

class NoEffects final : public Effects {
 public:
  void send(int, const Frame&) override {}
  void kill(int, int) override {}
  void pass(pid_t, int) override {}
  void pause() override {}
  [[nodiscard]] bool is_traced(pid_t) const override { return false; }
  [[nodiscard]] bool is_stopped(pid_t) const override { return false; }
  void say(std::string_view) override {}
};

void parse_as_process(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kWelcome:
      parse_welcome(frame);
      break;
    case FrameKind::kMissing:
      parse_missing(frame, 2);
      break;
    case FrameKind::kBlob:
      parse_blob(frame, 2);
      break;
    case FrameKind::kEnd:
      parse_end(frame);
      break;
    default:
      parse_empty(frame);
  }
}

std::vector<std::byte> framed(std::span<const std::byte> bytes) {
  std::vector<std::byte> stream;
  while (bytes.size() >= 2) {
    const auto kind = static_cast<FrameKind>(bytes[0]);
    const std::size_t count = std::min(bytes.size() - 2, std::size_t(bytes[1]));
    const auto body = bytes.subspan(2, count);
    const auto frame = encode({kind, std::vector<std::byte>(body.begin(), body.end())});
    stream.resize(stream.size() + frame.size());
    std::copy(frame.begin(), frame.end(), stream.end() - static_cast<std::ptrdiff_t>(frame.size()));
    bytes = bytes.subspan(2 + count);
  }
  return stream;
}

void decode(std::span<const std::byte> bytes, std::size_t piece, Supervisor& supervisor) {
  FrameDecoder decoder;
  while (!bytes.empty()) {
    const std::size_t count = std::min(piece, bytes.size());
    decoder.feed(bytes.first(count));
    bytes = bytes.subspan(count);
    while (const auto frame = decoder.next()) {
      supervisor.on_frame(0, *frame);  // throws nothing: it ends the run
      try {
        parse_as_process(*frame);
      } catch (const CorruptMessage&) {
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  NoEffects effects;
  Supervisor supervisor(2, Limits{}, WelcomeBody{}, effects, {});
  const auto input = std::as_bytes(std::span(data, size)).subspan(1);
  const bool is_stream = data[0] % 2 == 1;
  try {
    decode(is_stream ? std::vector<std::byte>(input.begin(), input.end()) : framed(input), data[0] + 1U, supervisor);
  } catch (const CorruptMessage& error) {
    supervisor.on_corrupt(0, error.what());
    if (supervisor.exit_code() == 0) std::abort();
  }
  return 0;
}
