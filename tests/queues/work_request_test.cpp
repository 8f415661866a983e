// SPDX-License-Identifier: Apache-2.0
// The form of requests.
#include "kaon/gpu/queues/work_request.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using gpu::Opcode;
using gpu::WorkRequest;

static_assert(std::is_trivially_copyable_v<WorkRequest> && std::is_standard_layout_v<WorkRequest>);

}  // namespace

TEST_CASE("the fields of a request lie where an adapter looks for them", "[queues]") {
  WorkRequest request;
  request.opcode = Opcode::fetch_add;
  request.control = 0xab;
  request.flag = 0x0102;
  request.local = 0x0304;
  request.remote = 0x0506;
  request.flags = 0x0708;
  request.bytes = 0x090a0b0c;
  request.local_offset = 0x1112131415161718;
  request.remote_offset = 0x2122232425262728;
  request.operand = 0x3132333435363738;
  request.cookie = 0x4142434445464748;
  std::uint64_t words[8];
  std::memcpy(words, &request, sizeof words);
  CHECK(words[0] == 0x050603040102ab03);
  CHECK(words[1] == 0x090a0b0c00000708);
  CHECK(words[2] == request.local_offset);
  CHECK(words[3] == request.remote_offset);
  CHECK(words[4] == request.operand);
  CHECK(words[5] == request.cookie);
  CHECK(words[6] == 0);
  CHECK(words[7] == 0);
}

}  // namespace kaon::testing
