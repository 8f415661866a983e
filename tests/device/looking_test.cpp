// SPDX-License-Identifier: Apache-2.0
// How long a PE looks, and sleeps between looks, for what nobody wakes it for.
#include "kaon/gpu/device/known_waits.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/platform/looking_time.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

using gpu::LookingTime;

TEST_CASE("a PE looks without a pause at first, and then sleeps between looks, for no longer than it has waited",
          "[device][looking]") {
  LookingTime looking;
  CHECK(looking.longest_sleep() == std::chrono::nanoseconds::max());  // somebody will wake it
  CHECK_FALSE(looking.is_long());
  const auto begin = std::chrono::steady_clock::now();
  while (!looking.is_long()) {
  }
  const auto waited = std::chrono::steady_clock::now() - begin;
  CHECK(looking.longest_sleep() >= std::chrono::microseconds(50));
  CHECK(looking.longest_sleep() <= std::max<std::chrono::nanoseconds>(waited / 8, std::chrono::microseconds(100)));
  looking.is_over();
  CHECK(looking.longest_sleep() == std::chrono::nanoseconds::max());
  CHECK_FALSE(looking.is_long());
}

TEST_CASE("a stream need not be told what it waits for already", "[device][looking]") {
  gpu::KnownWaits waits;
  gpu::StreamState streams[10];
  CHECK_FALSE(waits.has(&streams[0], 1));
  waits.add(&streams[0], 5);
  CHECK(waits.has(&streams[0], 5));
  CHECK(waits.has(&streams[0], 4));
  CHECK_FALSE(waits.has(&streams[0], 6));
  CHECK_FALSE(waits.has(&streams[1], 1));
  waits.add(&streams[0], 7);
  CHECK(waits.has(&streams[0], 6));
  for (gpu::StreamState& stream : streams) waits.add(&stream, 9);  // more than it remembers
  CHECK(waits.has(&streams[9], 9));
  CHECK_FALSE(waits.has(&streams[0], 1));
}

}  // namespace kaon::testing
