// SPDX-License-Identifier: Apache-2.0
// The ends of payloads that their post rules left with their senders: of who waits for one, of who has one, of the run.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::fetch_ends {

constexpr int kSize = 3000;

std::vector<int> memory;  // outlives all
int fetched = 0;
std::string refusal;

class Holder : public Chare<Holder> {
 public:
  void keep(Payload<int> values) { values_.push_back(std::move(values)); }
  Landing post(PostFor<&Holder::keep>, const Payload<int>&) { return Landing::later(); }
  void take(Payload<int> values) { values_.push_back(std::move(values)); }
  void hand_on(int to) {
    array()[to].send<&Holder::take>(std::move(values_.back()));
    values_.pop_back();
  }
  Task<> fetch(bool is_pooled) {
    co_await land(values_.back(), is_pooled ? Landing::pooled() : Landing::into(std::span<int>(memory)));
    ++fetched;
  }
  Task<> fetch_wrongly(bool is_later) {
    try {
      co_await land(values_.back(), is_later ? Landing::later() : Landing::pooled());
    } catch (const UsageError& error) {
      refusal = error.what();
    }
  }
  void drop() { values_.clear(); }
  void end() { destroy(); }

 private:
  std::vector<Payload<int>> values_;
};

const Proxy<Holder> kOnlyArray(1, 4);

/// An element on each of four PEs of two processes; payloads of the first are kept by the third, and stay on their way
/// until deliver().
struct Subject {
  explicit Subject(int payloads) : scene({2, 2}, with(&Options::serialize_always, false)) {
    memory.assign(kSize, 0);
    fetched = 0;
    refusal.clear();
    network.wire().hold(
        [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
    scene.run([](Runtime& runtime) -> Task<> { (void)co_await runtime.create<Holder>(4); });
    for (int i = 0; i < payloads; ++i)
      send([](const Proxy<Holder>& holders) {
        holders[2].send<&Holder::keep>(Payload<int>(std::vector<int>(kSize, 7)));
      });
    REQUIRE(sender.exchange().is_sending());
  }
  /// Lets PE 0 send, and runs as far as that leads.
  template <class Send>
  void send(Send send) {
    network.on(0, [&](Pe&) { send(kOnlyArray); });
    network.run_until_idle();
  }
  void deliver() {
    network.wire().hold({});
    network.run_until_idle();
  }
  Scene scene;
  Network& network = scene.network();
  Pe& sender = network.pe(0);
  Pe& receiver = network.pe(2);
};

TEST_CASE("a payload whose task ends while it is fetched into a buffer of its own goes nowhere, and its sender is free",
          "[chares][payload]") {
  Subject subject(1);
  subject.send([](const Proxy<Holder>& holders) { holders[2].send<&Holder::fetch>(true); });
  subject.send([](const Proxy<Holder>& holders) { holders[2].send<&Holder::end>(); });
  CHECK_FALSE(subject.receiver.activities().empty());  // it is being received
  subject.deliver();
  CHECK(subject.receiver.activities().empty());
  CHECK_FALSE(subject.sender.exchange().is_sending());
  CHECK(fetched == 0);
}

TEST_CASE("a task that ends while its payload is fetched into memory of the program's is an error",
          "[chares][payload]") {
  Subject subject(1);
  subject.send([](const Proxy<Holder>& holders) { holders[2].send<&Holder::fetch>(false); });
  std::string text;
  try {
    subject.send([](const Proxy<Holder>& holders) { holders[2].send<&Holder::end>(); });
    subject.receiver.failures().rethrow_first();
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(text.find("still writes there") != std::string::npos);
  subject.deliver();
}

TEST_CASE("a payload that is later for ever is refused", "[chares][payload]") {
  Subject subject(1);
  subject.send([](const Proxy<Holder>& holders) { holders[2].send<&Holder::fetch_wrongly>(true); });
  CHECK(refusal.find("give a landing") != std::string::npos);
  subject.deliver();
}

TEST_CASE("a payload is fetched on the PE that its message came to, and may be given up on another",
          "[chares][payload]") {
  Subject subject(1);
  subject.send([](const Proxy<Holder>& holders) { holders[2].send<&Holder::hand_on>(3); });
  subject.send([](const Proxy<Holder>& holders) { holders[3].send<&Holder::fetch_wrongly>(false); });
  CHECK(refusal.find("the PE that its message came to") != std::string::npos);
  subject.network.on(0, [](Pe&) { kOnlyArray[3].send<&Holder::drop>(); });
  subject.network.run(0);
  while (subject.network.wire().deliver_next()) {
  }
  while (subject.network.run(3)) {
  }
  CHECK(subject.receiver.activities().empty());  // another thread's
  subject.network.run_until_idle();
  CHECK_FALSE(subject.receiver.activities().empty());  // it is being received there
  subject.deliver();
  CHECK(subject.receiver.activities().empty());
  CHECK_FALSE(subject.sender.exchange().is_sending());
}

TEST_CASE("at the end of a run all payloads that nobody fetched are taken off their senders", "[chares][payload]") {
  Subject subject(3);
  subject.network.on(2, [](Pe& pe) { finish_sending(pe); });
  subject.deliver();
  CHECK(subject.receiver.activities().empty());
  CHECK_FALSE(subject.sender.exchange().is_sending());
}

TEST_CASE("a payload that was announced before a rollback is taken off nobody at the end of the run",
          "[chares][payload]") {
  Subject subject(1);
  for (PeId pe = 0; pe < subject.network.pes(); ++pe)
    subject.network.on(pe, [](Pe& here) { here.exchange().begin_epoch(1); });
  subject.network.on(2, [](Pe& pe) { finish_sending(pe); });
  CHECK(subject.receiver.activities().empty());  // it would be received for ever
}

}  // namespace kaon::testing::fetch_ends
