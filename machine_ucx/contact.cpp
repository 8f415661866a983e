// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/contact.hpp"

#include <cstdint>
#include <cstring>

#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {

namespace {

using Number = std::uint32_t;

void append(std::vector<std::byte>& to, const void* data, std::size_t bytes) {
  const std::size_t old = to.size();
  to.resize(old + bytes);
  if (bytes != 0) std::memcpy(to.data() + old, data, bytes);
}

void append_number(std::vector<std::byte>& to, std::size_t value) {
  const auto number = static_cast<Number>(value);
  append(to, &number, sizeof number);
}

[[noreturn]] void refuse(const char* why) {
  throw CorruptMessage(std::string("the contact of another process ") + why +
                       ". Start all processes of a run from the same program.");
}

// Takes from the front what it returns.
std::span<const std::byte> take(std::span<const std::byte>& from, std::size_t bytes) {
  if (bytes > from.size()) refuse("ends too early");
  const auto front = from.first(bytes);
  from = from.subspan(bytes);
  return front;
}

Number take_number(std::span<const std::byte>& from) {
  Number number = 0;
  std::memcpy(&number, take(from, sizeof number).data(), sizeof number);
  return number;
}

}  // namespace

std::vector<std::byte> encode_contact(const Contact& contact) {
  std::vector<std::byte> bytes;
  append_number(bytes, static_cast<std::size_t>(contact.vendor));
  append_number(bytes, contact.addresses.size());
  for (const auto& address : contact.addresses) {
    append_number(bytes, address.size());
    append(bytes, address.data(), address.size());
  }
  return bytes;
}

Contact decode_contact(std::span<const std::byte> bytes) {
  const Number vendor = take_number(bytes);
  if (vendor > static_cast<Number>(DeviceVendor::amd)) refuse("names devices that nobody knows");
  const Number count = take_number(bytes);
  // Each PE needs a length and a byte: a hostile count allocates nothing.
  if (count == 0 || count > bytes.size() / (sizeof(Number) + 1)) refuse("counts PEs that it does not list");
  Contact contact{static_cast<DeviceVendor>(vendor), {}};
  contact.addresses.reserve(count);
  for (Number pe = 0; pe < count; ++pe) {
    const Number length = take_number(bytes);
    if (length == 0) refuse("has a PE without address");
    const auto address = take(bytes, length);
    contact.addresses.emplace_back(address.begin(), address.end());
  }
  if (!bytes.empty()) refuse("is followed by bytes that do not belong to it");
  return contact;
}

}  // namespace kaon::machine_ucx
