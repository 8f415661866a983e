// SPDX-License-Identifier: Apache-2.0
// The contact of another process: any bytes. What is accepted must be written back as the same bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "kaon/machine_ucx/contact.hpp"
#include "kaon/runtime/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const auto again = kaon::machine_ucx::encode_contact(kaon::machine_ucx::decode_contact(bytes));
    if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  } catch (const kaon::runtime::CorruptMessage&) {
    // the one answer to bytes that are no contact
  }
  return 0;
}
