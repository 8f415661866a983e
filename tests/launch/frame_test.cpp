// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/frame_body.hpp"
#include "kaon/runtime/launch/frame_decoder.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> header(std::uint32_t body_bytes, std::uint16_t mark, std::uint16_t kind) {
  std::vector<std::byte> bytes(kFrameHeaderBytes);
  std::memcpy(bytes.data(), &body_bytes, 4);
  std::memcpy(bytes.data() + 4, &mark, 2);
  std::memcpy(bytes.data() + 6, &kind, 2);
  return bytes;
}

// The two ends of one socket.
std::pair<Connection, Connection> connected() {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {Connection(Descriptor(ends[0])), Connection(Descriptor(ends[1]))};
}

}  // namespace

TEST_CASE("frames come out as they went in, however the stream is cut", "[launch]") {
  const std::size_t piece = GENERATE(1, 3, 8, 1000);
  std::vector<std::byte> stream;
  for (int process = 0; process < 20; ++process) {
    const auto bytes = encode(blob_frame(process, bytes_of(std::string(static_cast<std::size_t>(process), 'x'))));
    stream.insert(stream.end(), bytes.begin(), bytes.end());
  }
  FrameDecoder decoder;
  int expected = 0;
  for (std::size_t begin = 0; begin < stream.size(); begin += piece) {
    decoder.feed(std::span(stream).subspan(begin, std::min(piece, stream.size() - begin)));
    while (const auto frame = decoder.next()) {
      const BlobBody body = parse_blob(*frame, 20);
      CHECK(body.process == expected);
      CHECK(body.blob.size() == static_cast<std::size_t>(expected++));
    }
  }
  CHECK(expected == 20);
  CHECK(decoder.pending_bytes() == 0);
}

TEST_CASE("a header that makes no sense is refused, again each time", "[launch]") {
  constexpr auto kBeyondLast = static_cast<std::uint16_t>(FrameKind::kEnd) + 1;
  const auto wrong = GENERATE(header(0, 0x4747, 1), header(0, kFrameMark, 0), header(0, kFrameMark, kBeyondLast),
                              header(kMaxBodyBytes + 1, kFrameMark, 2), header(0xffffffff, kFrameMark, 2));
  FrameDecoder decoder;
  decoder.feed(wrong);
  CHECK_THROWS_AS(decoder.next(), CorruptMessage);
  CHECK_THROWS_AS(decoder.next(), CorruptMessage);
}

TEST_CASE("a truncated frame is not given out", "[launch]") {
  auto bytes = encode(put_frame(1, bytes_of("contact")));
  bytes.pop_back();
  FrameDecoder decoder;
  decoder.feed(bytes);
  CHECK_FALSE(decoder.next());
  CHECK(decoder.pending_bytes() == bytes.size());
}

TEST_CASE("frames that their receiver does not take at once come later, whole and in order", "[launch]") {
  auto [here, there] = connected();
  const std::vector<std::byte> blob = bytes_of(std::string(100000, 'x'));
  int sent = 0;
  while (!here.has_unsent() && sent < 100) here.send(blob_frame(sent++, blob));
  REQUIRE(here.has_unsent());
  for (int more = 0; more < 3; ++more) here.send(blob_frame(sent++, blob));
  for (int expected = 0; expected < sent; here.flush()) {
    REQUIRE(there.receive());
    while (const auto frame = there.next()) {
      const BlobBody body = parse_blob(*frame, sent);
      CHECK(body.process == expected++);
      CHECK(body.blob == blob);
    }
  }
  CHECK_FALSE(here.has_unsent());
}

TEST_CASE("what the other end has said last is read, though it takes nothing any more", "[launch]") {
  auto [here, there] = connected();
  there.send(join_frame(4711));
  there.close();
  here.send(get_frame(0));
  CHECK_FALSE(here.has_unsent());
  REQUIRE(here.receive());
  const auto frame = here.next();
  REQUIRE(frame);
  CHECK(parse_join(*frame) == 4711);
  CHECK_FALSE(here.receive());
  CHECK_FALSE(here.is_open());
}

TEST_CASE("bodies come out as they went in", "[launch]") {
  CHECK(parse_put(put_frame(42, bytes_of("contact"))).program_hash == 42);
  CHECK(parse_put(put_frame(42, bytes_of("contact"))).blob == bytes_of("contact"));
  CHECK(parse_join(join_frame(4711)) == 4711);
  const WelcomeBody welcome{seat_on_one_host(2, 5), Secret{std::byte{1}, std::byte{255}}, {"/dev/shm/x", 1 << 30}};
  CHECK(parse_welcome(welcome_frame(welcome)).seat == welcome.seat);
  CHECK(parse_welcome(welcome_frame(welcome)).secret == welcome.secret);
  CHECK(parse_welcome(welcome_frame(welcome)).folder.path == "/dev/shm/x");
  CHECK(parse_welcome(welcome_frame(welcome)).folder.free_bytes == 1 << 30);
  CHECK(parse_get(get_frame(3), 4) == 3);
  CHECK(parse_missing(missing_frame(std::array{0, 3}), 4) == std::vector{0, 3});
  const EndBody end = parse_end(end_frame(FrameKind::kEnd, 137, "process 2 was killed"));
  CHECK(end.code == 137);
  CHECK(end.text == "process 2 was killed");
}

TEST_CASE("a body that does not fit its kind is refused", "[launch]") {
  CHECK_THROWS_AS(parse_put({FrameKind::kPut, bytes_of("short")}), CorruptMessage);
  CHECK_THROWS_AS(parse_join(join_frame(0)), CorruptMessage);
  CHECK_THROWS_AS(parse_join({FrameKind::kJoin, bytes_of("too long")}), CorruptMessage);
  CHECK_THROWS_AS(parse_welcome(welcome_frame({seat_on_one_host(5, 5), {}, {}})), CorruptMessage);
  CHECK_THROWS_AS(parse_welcome({FrameKind::kWelcome, bytes_of("short")}), CorruptMessage);
  CHECK_THROWS_AS(parse_get(get_frame(4), 4), CorruptMessage);
  CHECK_THROWS_AS(parse_get(get_frame(-1), 4), CorruptMessage);
  CHECK_THROWS_AS(parse_get({FrameKind::kGet, bytes_of("too long")}, 4), CorruptMessage);
  CHECK_THROWS_AS(parse_blob({FrameKind::kBlob, {}}, 4), CorruptMessage);
  CHECK_THROWS_AS(parse_missing({FrameKind::kMissing, bytes_of("12345")}, 4), CorruptMessage);
  CHECK_THROWS_AS(parse_end({FrameKind::kEnd, bytes_of(std::string(10000, 'x'))}), CorruptMessage);
  CHECK_THROWS_AS(parse_empty({FrameKind::kArrive, bytes_of("x")}), CorruptMessage);
}

TEST_CASE("the text of another process cannot steer the terminal", "[launch]") {
  CHECK(parse_end(end_frame(FrameKind::kAbort, 1, "a\x1b[2Jb")).text == "a?[2Jb");
}

}  // namespace kaon::testing
