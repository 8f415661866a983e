// SPDX-License-Identifier: Apache-2.0
// Entries that a chare class has from its bases: mixins, and templates that are a family of chares.
#include "kaon/chares/entries/entry.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::entries {

/// No chare itself, and not the first base of those who use it.
class Counting {
 public:
  void count(int by) { counted_ += by; }
  int counted() const { return counted_; }
  Task<int> wait_and_count() {
    const int by = co_await more.next();
    co_return counted_ += by;
  }
  Inbox<int> more;

  void land(Payload<int> values) { counted_ += values.view().data() == memory_.data() ? values.view().back() : 0; }
  Landing post(PostFor<&Counting::land>, const Payload<int>&) { return Landing::into(std::span(memory_)); }

 protected:
  template <class Archive>
  void pup_counts(Archive& archive) {
    archive(counted_, more, memory_);
  }

 private:
  int counted_ = 0;
  std::vector<int> memory_ = std::vector<int>(5000);
};

/// A family: each member is a chare class of its own.
template <class C>
class Animal : public Chare<C>, public Counting {
 public:
  virtual ~Animal() = default;
  virtual std::string sound() { return "nothing"; }
  std::string twice() { return sound() + sound(); }
  int weight() { return 1; }
  Task<std::string> ask(Element<C> other) {
    std::string answer = co_await other.template call<&Animal::sound>();
    co_return answer + "?";
  }
  void go(PeId to) { this->migrate_to(to); }

  template <class Archive>
  void pup(Archive& archive) {
    pup_counts(archive);
  }
};

class Dog : public Animal<Dog> {
 public:
  std::string sound() override { return "wau"; }
  int weight() { return 30; }  // hides the other, which can be named all the same
};
class Fish : public Animal<Fish> {
 public:
  using serialized_whole = Fish;
};

Task<> use_mixin(Runtime& runtime) {
  const auto dogs = co_await runtime.create<Dog>(5);
  const auto fishes = co_await runtime.create<Fish>(5);
  for (int i = 0; i < 5; ++i) dogs[i].send<&Dog::count>(i);
  dogs.broadcast<&Counting::count>(10);
  kaon::send<&Counting::count>(fishes[4], 1000);
  for (int i = 0; i < 5; ++i) dogs[i].send<&Dog::more>(100);
  dogs[4].send<&Dog::land>(Payload<int>(std::vector<int>(5000, 10'000)));
  co_await runtime.quiescence();
  const int all = co_await dogs.call_all<&Counting::wait_and_count>(sum);
  CHECK(all == 10 + 50 + 500 + 10'000);
  const int of_fishes = co_await fishes.call_all<&Counting::counted>(sum);
  CHECK(of_fishes == 1000);
}

Task<> use_family(Runtime& runtime) {
  const auto dogs = co_await runtime.create<Dog>(3);
  const auto fishes = co_await runtime.create<Fish>(3);
  const std::string loud = co_await dogs[2].call<&Animal<Dog>::twice>();
  const std::string silent = co_await fishes[2].call<&Fish::twice>();
  const std::string asked = co_await dogs[1].call<&Dog::ask>(dogs[2]);
  const int heavy = co_await dogs.call_all<&Dog::weight>(sum);
  const int light = co_await dogs.call_all<&Animal<Dog>::weight>(sum);
  CHECK(loud == "wauwau");
  CHECK(silent == "nothingnothing");
  CHECK(asked == "wau?");
  CHECK(heavy == 90);
  CHECK(light == 3);
}

Task<> move_family(Runtime& runtime) {
  const auto fishes = co_await runtime.create<Fish>(3);
  fishes.broadcast<&Fish::count>(4);
  fishes.broadcast<&Fish::more>(1);
  co_await runtime.quiescence();
  for (int i = 0; i < 3; ++i) fishes[i].send<&Fish::go>((static_cast<PeId>(i) + 1) % runtime.pes());
  co_await runtime.quiescence();
  const int all = co_await fishes.call_all<&Fish::wait_and_count>(sum);
  CHECK(all == 3 * 5);
}

/// Its entry is a template, for which a compiler gives one name.
class Store : public Chare<Store> {
 public:
  template <class T>
  void put(std::vector<T> values) {
    bytes_ += static_cast<int>(values.size() * sizeof(T));
  }
  template <class T>
  int times() const {
    return bytes_ * static_cast<int>(sizeof(T));
  }

 private:
  int bytes_ = 0;
};

Task<> use_templates(Runtime& runtime) {
  const auto stores = co_await runtime.create<Store>(5);
  stores.broadcast<&Store::put<double>>(std::vector<double>(2));
  stores[4].send<&Store::put<char>>(std::vector<char>(3));
  co_await runtime.quiescence();
  const int by_char = co_await stores.call_all<&Store::times<char>>(sum);
  const int by_double = co_await stores.call_all<&Store::times<double>>(sum);
  CHECK(by_char == 5 * 16 + 3);
  CHECK(by_double == 8 * by_char);
}

TEST_CASE("entries of a mixin are those of each class that has it", "[chares][entry]") {
  run_everywhere(entries::use_mixin);
}

TEST_CASE("entries of a family of chares are named by its base or by its member", "[chares][entry]") {
  run_everywhere(entries::use_family);
}

TEST_CASE("what entries of a base have kept moves with the chare", "[chares][entry]") {
  run_everywhere(entries::move_family);
}

TEST_CASE("entries that one function template makes are told apart", "[chares][entry]") {
  run_everywhere(entries::use_templates);
}

}  // namespace kaon::testing::entries
