// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/ports/process_contact.hpp"

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::runtime;

namespace {

std::vector<std::byte> bytes_of(std::size_t count, int first) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
  return bytes;
}

}  // namespace

TEST_CASE("what a process gives of its ports and its devices comes back as it was", "[ports]") {
  for (const std::size_t ports : {0U, 1U, 300U})
    for (const std::size_t devices : {0U, 64U}) {
      const ProcessContact contact{bytes_of(ports, 1), bytes_of(devices, 7)};
      CHECK(decode_process_contact(encode_process_contact(contact)) == contact);
    }
}

TEST_CASE("a process' contact that is cut off is refused", "[ports][bad input]") {
  const auto bytes = encode_process_contact({bytes_of(5, 1), {}});
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK_THROWS_AS(decode_process_contact(std::span(bytes).first(length)), CorruptMessage);
  std::vector<std::byte> hostile(12, std::byte{255});
  CHECK_THROWS_AS(decode_process_contact(hostile), CorruptMessage);
}
