// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/wire.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

constexpr std::uint8_t kAllParts = kHasOrigin | kHasReply | kHasPriority | kHasPayloads;

using Bytes = std::vector<std::byte>;

template <class T>
void append(Bytes& bytes, const T& value) {
  const std::size_t before = bytes.size();
  bytes.resize(before + sizeof(T));
  std::memcpy(bytes.data() + before, &value, sizeof(T));
}

WireMessage example(std::uint8_t parts, const Bytes& arguments) {
  WireMessage message{};
  message.header = {0x1122334455667788,
                    3,
                    4,
                    static_cast<std::uint32_t>(arguments.size()),
                    static_cast<std::uint16_t>(parts & kHasPayloads ? 2 : 0),
                    kBroadcastMessage,
                    parts};
  message.origin = {parts & kHasOrigin ? 6u : 9u, parts & kHasOrigin ? 2u : 0u};
  if (parts & kHasReply) message.reply = {11, 12};
  if (parts & kHasPriority) message.priority = -13;
  if (parts & kHasPayloads) message.numbers = {0, 77, 0};
  message.arguments = arguments;
  return message;
}

void append_message(Bytes& batch, const WireMessage& message) {
  Bytes header(kMaxWireHeader);
  header.resize(write_header(header.data(), message));
  CHECK(header.size() == header_bytes(message.header.parts));
  batch.resize(batch.size() + header.size() + message.arguments.size());
  std::byte* end = batch.data() + batch.size();
  if (!message.arguments.empty())
    std::memcpy(end - message.arguments.size(), message.arguments.data(), message.arguments.size());
  std::memcpy(end - message.arguments.size() - header.size(), header.data(), header.size());
  if (message.header.parts & kHasPayloads) append(batch, message.numbers);
}

Bytes empty_batch() {
  Bytes batch;
  append(batch, BatchHeader{7, 9, 1, 2, 5});
  return batch;
}

int count_messages(std::span<const std::byte> batch) {
  BatchReader reader(batch);
  int count = 0;
  for (WireMessage message; reader.next(message);) ++count;
  return count;
}

// A batch of one message, which is whole but for what its header says: so many bytes stand behind that.
Bytes batch_with(const WireHeader& header, std::size_t rest = 0) {
  Bytes batch = empty_batch();
  append(batch, header);
  batch.resize(batch.size() + rest);
  return batch;
}

// What is said of a batch; "" when it is taken.
std::string refusal(const Bytes& batch) {
  try {
    count_messages(batch);
  } catch (const CorruptMessage& error) {
    return error.what();
  }
  return "";
}

bool is_refused_for(const std::string& fault, const Bytes& batch) {
  return refusal(batch).find(fault) != std::string::npos;
}

void check_same_parts(const WireMessage& got, const WireMessage& sent) {
  CHECK(got.origin.source == sent.origin.source);
  CHECK(got.origin.hops == sent.origin.hops);
  CHECK(got.reply.slot == sent.reply.slot);
  CHECK(got.reply.generation == sent.reply.generation);
  CHECK(got.priority == sent.priority);
  CHECK(got.numbers.first == sent.numbers.first);
}

}  // namespace

TEST_CASE("a message is read as it was written, whatever parts it has", "[runtime][wire]") {
  for (std::uint8_t parts = 0; parts <= kAllParts; ++parts) {
    const Bytes arguments(parts % 5, std::byte{0x33});
    const WireMessage sent = example(parts, arguments);
    Bytes batch = empty_batch();
    append_message(batch, sent);
    append_message(batch, sent);
    BatchReader reader(batch);
    CHECK(reader.header().source == 9);
    CHECK(reader.header().epoch == 1);
    CHECK(reader.header().credits == 5);
    for (int i = 0; i < 2; ++i) {
      WireMessage got;
      REQUIRE(reader.next(got));
      CHECK(std::memcmp(&got.header, &sent.header, sizeof sent.header) == 0);
      check_same_parts(got, sent);
      CHECK(std::equal(got.arguments.begin(), got.arguments.end(), arguments.begin(), arguments.end()));
    }
    WireMessage none;
    CHECK_FALSE(reader.next(none));
  }
}

TEST_CASE("a batch cut off anywhere but between messages is corrupt", "[runtime][wire]") {
  for (std::uint8_t parts = 0; parts <= kAllParts; ++parts) {
    const Bytes arguments(7, std::byte{1});
    Bytes batch = empty_batch();
    append_message(batch, example(parts, arguments));
    const std::size_t one = batch.size();
    append_message(batch, example(parts, arguments));
    for (std::size_t cut = 0; cut < batch.size(); ++cut) {
      const Bytes part(batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(cut));  // its end is watched by ASan
      if (cut == sizeof(BatchHeader))
        CHECK(count_messages(part) == 0);
      else if (cut == one)
        CHECK(count_messages(part) == 1);
      else
        CHECK_THROWS_AS(count_messages(part), CorruptMessage);
    }
    CHECK(count_messages(batch) == 2);
  }
}

TEST_CASE("a message has no part of the one that was read before it", "[runtime][wire]") {
  const Bytes arguments(5, std::byte{1});
  for (std::uint8_t parts = 0; parts <= kAllParts; ++parts) {
    Bytes batch = empty_batch();
    append_message(batch, example(kAllParts, arguments));
    const WireMessage sent = example(parts, {});
    append_message(batch, sent);
    BatchReader reader(batch);
    WireMessage got;
    REQUIRE(reader.next(got));
    REQUIRE(reader.next(got));
    check_same_parts(got, sent);
    CHECK(got.arguments.empty());
  }
}

TEST_CASE("flags that no sender sets are corrupt", "[runtime][wire]") {
  for (int bit = 0; bit < 8; ++bit) {
    const auto flag = static_cast<std::uint8_t>(1 << bit);
    const bool is_known = flag == kControlMessage || flag == kBroadcastMessage || flag == kContinuation;
    const std::string said = refusal(batch_with({0, 0, 0, 0, 0, flag, 0}));
    CHECK((is_known ? said.empty() : said.find("flags that no version") != said.npos));
    if (flag > kLargeBody) CHECK(is_refused_for("flags that no version", batch_with({0, 0, 0, 0, 0, 0, flag})));
  }
}

TEST_CASE("payloads and their numbers come together or not at all", "[runtime][wire]") {
  constexpr std::size_t kNumbers = sizeof(PayloadNumbers);
  const char* const fault = "how its payloads are numbered";
  CHECK(is_refused_for(fault, batch_with({0, 0, 0, 0, 2, 0, 0})));
  CHECK(is_refused_for(fault, batch_with({0, 0, 0, 0, 0, 0, kHasPayloads}, kNumbers)));
  CHECK(is_refused_for(fault, batch_with({0, 0, 0, 0, 0, 0, kLargeBody})));
  CHECK(refusal(batch_with({0, 0, 0, 0, 2, 0, kHasPayloads}, kNumbers)).empty());
}

TEST_CASE("a message has its arguments in its batch or beside it", "[runtime][wire]") {
  constexpr std::size_t kNumbers = sizeof(PayloadNumbers);
  constexpr std::uint8_t kBeside = kLargeBody | kHasPayloads;
  CHECK(is_refused_for("arguments in two places", batch_with({0, 0, 0, 8, 0, 0, kBeside}, 8 + kNumbers)));
  CHECK(refusal(batch_with({0, 0, 0, 0, 0, 0, kBeside}, kNumbers)).empty());
}

TEST_CASE("a message that claims more bytes than its batch holds is corrupt", "[runtime][wire]") {
  CHECK(refusal(batch_with({0, 0, 0, 64, 0, 0, 0}, 64)).empty());
  for (const std::uint32_t bytes : {65u, 8000u, 0x80000000u, ~0u})
    CHECK(is_refused_for("more bytes than its batch holds", batch_with({0, 0, 0, bytes, 0, 0, 0}, 64)));
}
