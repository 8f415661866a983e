// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/backlog.hpp"

#include <algorithm>
#include <vector>

#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::backlogs {

constexpr auto kCredits = LoopbackNetwork::Kind::control;

void take(Pe&, int) {}

std::size_t count_pending(Network& network, LoopbackNetwork::Kind kind) {
  const auto& pending = network.wire().pending();
  return static_cast<std::size_t>(
      std::count_if(pending.begin(), pending.end(), [&](const auto& parcel) { return parcel.kind == kind; }));
}

// A batch that comes to PE 1 while so many pieces of work are ready there. One credit, which goes back at once or
// later.
struct Subject {
  explicit Subject(std::size_t ready) : works(ready) {
    for (Work& work : works) work.run = [](Work&, Pe&) {};
    network.on(0, [](Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 1, 1); });
    network.run(0);
    network.on(1, [&](Pe& pe) {
      for (Work& work : works) pe.enqueue(work);
    });
    REQUIRE(network.wire().deliver_next());
    network.run(1, 1);  // one piece, and what has come
  }
  std::vector<Work> works;
  Network network{{2, 1}, with(&Options::credits, 1)};
};

TEST_CASE("a PE that has little to run gives a batch's credit back at once", "[runtime][backlog]") {
  Subject subject(10);
  CHECK(count_pending(subject.network, kCredits) == 1);
  subject.network.run_until_idle();
}

TEST_CASE("a PE that has much to run gives a batch's credit back when it has run what was ready",
          "[runtime][backlog]") {
  Subject subject(1000);
  CHECK(count_pending(subject.network, kCredits) == 0);
  subject.network.run(1, 900);
  CHECK(count_pending(subject.network, kCredits) == 0);
  subject.network.run(1);
  CHECK(count_pending(subject.network, kCredits) == 1);
  subject.network.run_until_idle();
}

TEST_CASE("a control message used no credit, and none is returned for it", "[runtime][backlog]") {
  Network network({2, 1}, with(&Options::credits, 1));  // so that any would be returned at once
  network.on(0, [](Pe& pe) { RemoteProcedure<&take>::send(pe, 1, 1); });
  network.run(0);
  REQUIRE(network.wire().deliver_next());
  network.run_all();
  CHECK(network.wire().pending().empty());
}

}  // namespace kaon::testing::backlogs
