// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/contact.hpp"

#include <cstdint>
#include <cstring>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

std::vector<std::byte> address_of(std::size_t bytes, int fill) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(fill));
}

std::vector<std::byte> numbers(std::initializer_list<std::uint32_t> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("a contact comes back as it was", "[machine_ucx][contact]") {
  const Contact contact{DeviceVendor::amd, {address_of(1, 7), address_of(300, 8), address_of(64, 9)}};
  CHECK(decode_contact(encode_contact(contact)) == contact);
}

TEST_CASE("a contact that is cut off anywhere is refused", "[machine_ucx][contact]") {
  const auto bytes = encode_contact({DeviceVendor::none, {address_of(5, 1), address_of(9, 2)}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO("first " << length << " of " << bytes.size() << " bytes");
    CHECK_THROWS_AS(decode_contact(std::span(bytes).first(length)), CorruptMessage);
  }
}

TEST_CASE("a contact with bytes behind it is refused", "[machine_ucx][contact]") {
  auto bytes = encode_contact({DeviceVendor::none, {address_of(5, 1)}});
  bytes.push_back(std::byte{0});
  CHECK_THROWS_AS(decode_contact(bytes), CorruptMessage);
}

TEST_CASE("hostile counts and lengths are refused before anything is allocated for them", "[machine_ucx][contact]") {
  CHECK_THROWS_AS(decode_contact(numbers({0, 0})), CorruptMessage);                 // no PE at all
  CHECK_THROWS_AS(decode_contact(numbers({0, 0xffffffff, 1, 1})), CorruptMessage);  // count
  CHECK_THROWS_AS(decode_contact(numbers({0, 1, 0xffffffff, 1})), CorruptMessage);  // length
  CHECK_THROWS_AS(decode_contact(numbers({0, 2, 0, 4, 1})), CorruptMessage);        // a PE without address
  CHECK_THROWS_AS(decode_contact(numbers({3, 1, 1, 1})), CorruptMessage);           // devices of nobody
}
