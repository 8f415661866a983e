// SPDX-License-Identifier: Apache-2.0
// What has not left, and what has not arrived whole, is let go when the run ends.
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::let_go {

/// An argument that knows how many there are.
struct Counted {
  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(value);
  }
  int value = 0;
  static inline int alive = 0;
};

/// Memory of payloads that counts how often it was let go.
class CountedMemory final : public PayloadOwner {
 public:
  explicit CountedMemory(PayloadOwner& memory) : memory_(memory) {}
  void release(PayloadRecord& record) noexcept override {
    ++released;
    memory_.release(record);
  }
  static inline int released = 0;

 private:
  PayloadOwner& memory_;
};

Payload<char> counted_payload(std::size_t bytes) {
  Payload<char> payload{std::vector<char>(bytes)};
  static CountedMemory counted(*payload.record()->owner);
  payload.record()->owner = &counted;
  return payload;
}

void take(Pe&, std::vector<char>) {}
void take_payload(Pe&, Payload<char>) {}
void take_counted(Pe&, Counted, Payload<char>) {}

bool is_payload(const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; }

void flood(Network& network, PeId from, PeId to, std::size_t bytes) {
  network.on(from, [&](Pe& pe) {
    for (int i = 0; i < 20; ++i) RemoteProcedure<&take, Counting::counted>::send(pe, to, std::vector<char>(bytes));
  });
}

TEST_CASE("what was sent and not delivered is released when the run ends", "[runtime][let_go]") {
  Network network({2, 1}, with(&Options::credits, 2));
  flood(network, 0, 1, 3000);
  flood(network, 1, 0, 30'000);
  network.run_all();
  CHECK_FALSE(network.wire().pending().empty());
  network.wire().deliver_next();  // and the rest is left to the sanitizer
}

TEST_CASE("payloads that have not left are let go when the run ends", "[runtime][let_go]") {
  CountedMemory::released = 0;
  {
    Network network({2, 1}, with(&Options::credits, 2));
    network.on(0, [&](Pe& pe) {
      for (int i = 0; i < 20; ++i)
        RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, counted_payload(200'000));
    });
    network.run_all();
    CHECK(network.pe(0).exchange().outbox(1).is_congested());
    CHECK(CountedMemory::released == 0);
  }
  CHECK(CountedMemory::released == 20);
}

TEST_CASE("the arguments of a message that never got its payload are destroyed", "[runtime][let_go]") {
  REQUIRE(Counted::alive == 0);
  {
    Network network({2, 1});
    network.on(0, [](Pe& pe) {
      RemoteProcedure<&take_counted, Counting::counted>::send(pe, 1, Counted(), counted_payload(20'000));
    });
    network.wire().hold(is_payload);
    network.run_until_idle();
    CHECK(Counted::alive == 1);  // the receiver's
  }
  CHECK(Counted::alive == 0);
}

}  // namespace kaon::testing::let_go
