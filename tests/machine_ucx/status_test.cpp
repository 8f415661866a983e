// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/status.hpp"

#include <string>

#include "kaon/machine_ucx/version.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/full_address_space.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::testing;

TEST_CASE("a status becomes the error that says what the caller can do", "[machine_ucx][status]") {
  CHECK_THROWS_AS(throw_status(UCS_ERR_NO_MEMORY, "x"), OutOfMemory);
  CHECK_THROWS_AS(throw_status(UCS_ERR_UNREACHABLE, "x"), UsageError);
  CHECK_THROWS_AS(throw_status(UCS_ERR_MESSAGE_TRUNCATED, "x"), CorruptMessage);
  CHECK_THROWS_AS(throw_status(UCS_ERR_CONNECTION_RESET, "x"), LostPeer);
  CHECK_NOTHROW(check_status(UCS_OK, "x"));
}

TEST_CASE("the text of a status says what was done, what UCX says, and a cure", "[machine_ucx][status]") {
  CHECK_THROWS_WITH(throw_status(UCS_ERR_UNREACHABLE, "connecting to PE 3"),
                    contains_text("connecting to PE 3") && contains_text(ucs_status_string(UCS_ERR_UNREACHABLE)) &&
                        contains_text("unset UCX_TLS"));
}

TEST_CASE("shared memory that cannot be mapped is a lost process, or the end of memory", "[machine_ucx][status]") {
  CHECK_THROWS_AS(throw_status(UCS_ERR_SHMEM_SEGMENT, "x"), LostPeer);
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // which map memory of their own meanwhile
  std::string text;
  try {
    const FullAddressSpace full;
    throw_status(UCS_ERR_SHMEM_SEGMENT, "connecting to PE 3");
  } catch (const OutOfMemory& error) {
    text = error.what();
  }
  CHECK_THAT(text, contains_text("out of memory while connecting to PE 3") && contains_text("ulimit -v"));
}

TEST_CASE("an older UCX at run time is refused", "[machine_ucx][version]") {
  CHECK_THROWS_AS(check_ucx_version(1, 19), UsageError);
  CHECK_THROWS_AS(check_ucx_version(2, 0), UsageError);
  CHECK_NOTHROW(check_ucx_version(1, 20));
  CHECK_NOTHROW(check_ucx_version(1, 22));
}
