// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/shared_memory.hpp"

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variable.hpp"

namespace kaon::machine_ucx {

using testing::contains_text;

constexpr int kPes = 3;  // of each of two processes
constexpr Seat kSeat = seat_on_one_host(0, 2);
constexpr std::uint64_t kNeeded = 2 * kPes * kSharedBytesOfPe;

TEST_CASE("shared memory that suffices is taken", "[machine_ucx][shared memory]") {
  CHECK_NOTHROW(require_shared_memory({"/dev/shm/run", kNeeded}, kSeat, kPes));
}

TEST_CASE("too little shared memory is told with what there is and what to do", "[machine_ucx][shared memory]") {
  CHECK_THROWS_AS(require_shared_memory({"/dev/shm/run", kNeeded - 1}, kSeat, kPes), OutOfMemory);
  CHECK_THROWS_WITH(
      require_shared_memory({"/dev/shm/run", 3 << 20}, kSeat, kPes),
      contains_text("6 PEs on this host need 7 MiB") && contains_text("has 3 MiB") && contains_text("--shm-size"));
}

TEST_CASE("who chooses the transports himself answers for their memory", "[machine_ucx][shared memory]") {
  const testing::Variable chosen("UCX_TLS", "tcp");
  CHECK_NOTHROW(require_shared_memory({"/dev/shm/run", 0}, kSeat, kPes));
}

}  // namespace kaon::machine_ucx
