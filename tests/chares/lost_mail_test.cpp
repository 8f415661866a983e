// SPDX-License-Identifier: Apache-2.0
// Chares that move without the messages of their inboxes.
#include <string>

#include "kaon/runtime/base/error.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::lost_mail {

/// Its pup() has no inbox in it.
class Forgetful : public Chare<Forgetful> {
 public:
  template <class Archive>
  void pup(Archive&) {}
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }
  PeId where() const { return pe(); }
  Inbox<int> mail;
};

Task<> move_with_mail(Runtime& runtime) {
  const auto chares = co_await runtime.create<Forgetful>(1);
  for (const int number : {1, 2}) chares[0].send<&Forgetful::mail>(number);
  co_await runtime.quiescence();
  chares[0].send<&Forgetful::go>(1U);
  co_await runtime.quiescence();
}

Task<> move_after_another_has_ended(Runtime& runtime) {
  const auto chares = co_await runtime.create<Forgetful>(4);  // two on each PE
  chares[0].send<&Forgetful::mail>(1);
  co_await runtime.quiescence();
  chares[0].send<&Forgetful::end>();
  co_await runtime.quiescence();
  chares[1].send<&Forgetful::go>(1U);
  co_await runtime.quiescence();
  const PeId place = co_await chares[1].call<&Forgetful::where>();
  CHECK(place == 1);
}

TEST_CASE("a chare that moves without the messages of its inbox is told to archive it", "[chares][inbox]") {
  Scene scene(Network::Shape{1, 2});
  std::string text;
  try {
    scene.run(move_with_mail);
  } catch (const UsageError& error) {
    text = error.what();
  }
  for (const char* part : {"2 messages", "archive every Inbox"}) CHECK(text.find(part) != text.npos);
}

TEST_CASE("messages that have gone with another chare are not asked of one that moves", "[chares][inbox]") {
  Scene scene(Network::Shape{1, 2});
  scene.run(move_after_another_has_ended);
}

}  // namespace kaon::testing::lost_mail
