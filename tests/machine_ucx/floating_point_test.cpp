// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/floating_point.hpp"

#include <cfenv>

#include "tests/machine_ucx/machines.hpp"

namespace kaon::testing::floating {

// As a program has them that wants to be told of wrong operations.
class Traps {
 public:
  static constexpr int kAll = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW;
  Traps() { feenableexcept(kAll); }
  ~Traps() { fedisableexcept(kAll); }
  Traps(const Traps&) = delete;
  Traps& operator=(const Traps&) = delete;
};

TEST_CASE("traps that a program has enabled are held off and come back", "[machine_ucx][floating point]") {
  const Traps traps;
  {
    const DefaultFloatingPoint no_traps;
    CHECK(fegetexcept() == 0);
    volatile double zero = 0;
    zero = 1 / zero;
  }
  CHECK(fegetexcept() == Traps::kAll);
  CHECK(fetestexcept(FE_DIVBYZERO) == 0);
}

TEST_CASE("ports start, connect and move messages of all sizes under floating-point traps",
          "[machine_ucx][floating point]") {
  const Traps traps;
  Machines machines(HostCarrier::active);
  for (const std::size_t bytes : {0u, 8u, 8000u}) machines.send(0, 1, Lane::data, pattern(bytes));
  machines.until([&] { return machines.client(1).batches.size() == 3; });
  auto sent = pattern(1 << 20), received = std::vector<std::byte>(1 << 20);
  Done is_received, is_sent;
  const bool is_there = machines.port(1).receive_payload(0, 1, memory(received), is_received);
  const bool is_away = machines.port(0).send_payload(1, 1, memory(sent), is_sent);
  machines.until([&] { return (is_there || is_received.times == 1) && (is_away || is_sent.times == 1); });
  CHECK(received == sent);
  CHECK(fegetexcept() == Traps::kAll);
}

}  // namespace kaon::testing::floating
