// SPDX-License-Identifier: Apache-2.0
// What reports of waits say of those who wait for payloads and for room, and which of these can be deadlocks. Room and
// payloads that are fetched come from the network in the end: only what a receiver keeps is missed for ever.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/pe/stall_watch.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/chares/look_often.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::named_waits {

constexpr std::size_t kLarge = 5000;

class Patient : public Chare<Patient> {
 public:
  Task<> give_and_wait(Element<Patient> to) {
    std::vector<int> values(kLarge);
    Payload<int> payload(std::move(values));
    const Sent sent(payload);
    to.send<&Patient::kept>(std::move(payload));
    co_await sent;
  }
  Inbox<Payload<int>> kept;  // which nobody awaits

  Task<> fetch(Payload<int> payload) { co_await land(payload, Landing::pooled()); }
  Landing post(PostFor<&Patient::fetch>, const Payload<int>&) { return Landing::later(); }

  void take(int) {}
  Task<> flood(Element<Patient> to) {
    while (true) {
      co_await to.ready();
      to.send<&Patient::take>(1);
    }
  }
};

bool is_cut_off = false;  // PE 1, from what the test holds back

Task<> wait_for_memory(Runtime& runtime) {
  const auto patients = co_await runtime.create<Patient>(2);
  co_await patients[0].call<&Patient::give_and_wait>(patients[1]);
}
Task<> wait_for_payload(Runtime& runtime) {
  const auto patients = co_await runtime.create<Patient>(2);
  is_cut_off = true;
  co_await patients[1].call<&Patient::fetch>(Payload<int>(std::vector<int>(kLarge)));
}
Task<> wait_for_room(Runtime& runtime) {
  const auto patients = co_await runtime.create<Patient>(2);
  is_cut_off = true;
  co_await patients[0].call<&Patient::flood>(patients[1]);
}

/// Runs until nothing happens any more, with many looks for a deadlock.
void run_and_look(Scene& scene, Scene::MainTask main_task) {
  scene.start(std::move(main_task));
  look_often(scene, 10);
}

/// Who waits when nothing of this kind reaches PE 1 any more, which is no deadlock.
std::string waits_without(LoopbackNetwork::Kind kind, Scene::MainTask main_task) {
  is_cut_off = false;
  Scene scene({2, 1}, with(&Options::credits, 4));
  scene.network().wire().hold(
      [kind](const LoopbackNetwork::Parcel& parcel) { return is_cut_off && parcel.to == 1 && parcel.kind == kind; });
  CHECK_NOTHROW(run_and_look(scene, std::move(main_task)));
  return scene.waits();
}

TEST_CASE("who waits for memory that a receiver in the process keeps is part of a deadlock", "[chares][stall]") {
  Scene scene({1, 2}, with(&Options::serialize_always, false));
  const std::string text = thrown<Deadlock>([&] { run_and_look(scene, wait_for_memory); });
  CHECK(has(text, "Patient::give_and_wait of element (0, 0, 0)"));
  CHECK(has(text, "until the memory of a payload that was sent is free"));
}

TEST_CASE("who waits for a payload that is fetched is named, and is no deadlock", "[chares][stall]") {
  const std::string text = waits_without(LoopbackNetwork::Kind::payload, wait_for_payload);
  CHECK(has(text, "Patient::fetch of element (1, 0, 0)"));
  CHECK(has(text, "for a payload of 20000 bytes that it fetches from PE 0"));
}

TEST_CASE("who waits for room is named, and is no deadlock while messages are under way", "[chares][stall]") {
  const std::string text = waits_without(LoopbackNetwork::Kind::data, wait_for_room);
  CHECK(has(text, "Patient::flood of element (0, 0, 0)"));
  CHECK(has(text, "for PE 1 to take what was sent to it"));
}

}  // namespace kaon::testing::named_waits
