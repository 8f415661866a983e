// SPDX-License-Identifier: Apache-2.0
// Arrays of which some elements cannot be made: what there was of them ends, and nobody waits for what never comes.
#include <stdexcept>
#include <string>

#include <kaon/kaon.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::failed_creations {

constexpr int kCount = 12, kFailing = 7;

int alive = 0;
int refused = 0;  // calls whose result will not come

using NotMade = std::domain_error;

enum class Begun : int { nothing, destroy_all, move, end, contribute };

/// Has sent to its neighbours when the constructor of one of them throws.
class Cell : public Chare<Cell> {
 public:
  Cell() { ++alive; }
  explicit Cell(int failing, Begun begun = Begun::nothing) : Cell() {
    const Proxy<Cell> cells = array();
    cells[(index().x + 1) % cells.shape().x].send<&Cell::take>(index().x);
    self().send<&Cell::ask>(failing);
    if (index().x != failing) return;
    if (begun == Begun::destroy_all) array().destroy();
    if (begun == Begun::move) migrate_to((pe() + 1) % this_runtime().pes());
    if (begun == Begun::end) destroy();
    if (begun == Begun::contribute) contribute(sum, 1, callback<&Cell::take>(self()));
    throw NotMade("it is not made");
  }
  ~Cell() { --alive; }

  template <class Archive>
  void pup(Archive&) {}
  void take(int) {}
  int answer() const { return 1; }
  Task<> ask(int whom) {
    try {
      co_await array()[whom].call<&Cell::answer>();
    } catch (const UsageError&) {
      ++refused;
    }
  }
};

/// What create() says when it fails.
template <class Create>
Task<std::string> failure_of(Runtime&, Create create) {  // a task whose first parameter is a lambda is taken for it
  std::string said;
  try {
    co_await create();
  } catch (const NotMade& error) {
    said = error.what();
  }
  co_return said;
}

Task<> check_that_all_goes_on(Runtime& runtime) {
  co_await runtime.quiescence();
  CHECK(alive == 0);
  const auto cells = co_await runtime.create<Cell>(kCount);
  const int all = co_await cells.call_all<&Cell::answer>(sum);
  CHECK(all == kCount);
  co_await cells.destroy_and_wait();
}

/// An argument that can be copied or packed this often; then it cannot. All copies share the count.
int copies_left = -1, packings_left = -1;  // negative: without end

struct Fragile {
  Fragile() = default;
  Fragile(const Fragile&) { use(copies_left, "it cannot be copied"); }
  Fragile(Fragile&&) noexcept {}
  ~Fragile() = default;
  Fragile& operator=(const Fragile&) = delete;
  Fragile& operator=(Fragile&&) = delete;
  template <class Archive>
  void pup(Archive&) {
    if constexpr (Archive::is_saving) use(packings_left, "it cannot be packed");
  }
  static void use(int& left, const char* text) {
    if (left == 0) throw NotMade(text);
    if (left > 0) --left;
  }
};

class Holder : public Chare<Holder> {
 public:
  explicit Holder(const Fragile&) { ++alive; }
  Holder() { ++alive; }
  ~Holder() { --alive; }
};

void forget() {
  alive = refused = 0;
  copies_left = packings_left = -1;
}

Task<> make_with_failing_argument(Runtime& runtime, int& left) {
  std::string said = "?";
  for (int uses = 0; !said.empty(); ++uses) {  // until they suffice
    REQUIRE(uses < 100);
    left = uses;
    said = co_await failure_of(runtime, [&] { return runtime.create<Holder>(kCount, Fragile()); });
    left = -1;
    co_await runtime.quiescence();
    CHECK(alive == (said.empty() ? kCount : 0));
  }
}

/// Beside each of another array.
class Mate : public Chare<Mate> {
 public:
  Mate() { ++alive; }
  explicit Mate(int failing) : Mate() {
    if (index().x == failing) throw NotMade("it is not made");
  }
  ~Mate() { --alive; }
  template <class Archive>
  void pup(Archive&) {}
  int answer() const { return 1; }
};

Task<> fail_to_bind(Runtime& runtime, Proxy<Cell> cells) {
  const int leaders = alive;
  const std::string said = co_await failure_of(runtime, [&] { return runtime.create_bound<Mate>(cells, kFailing); });
  CHECK(said == "it is not made");
  co_await runtime.quiescence();
  CHECK(alive == leaders);
}

Task<> fail_to_bind_and_bind(Runtime& runtime, Proxy<Cell> cells) {
  co_await fail_to_bind(runtime, cells);
  const auto mates = co_await runtime.create_bound<Mate>(cells);
  const int all = co_await mates.call_all<&Mate::answer>(sum);
  CHECK(all == kCount);
  const int others = co_await cells.call_all<&Cell::answer>(sum);
  CHECK(others == kCount);
}

/// More than go or come at a time, so that some are made beside their leaders when the end has begun.
Task<> fail_to_bind_many(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(3000 * static_cast<int>(runtime.pes()));
  co_await fail_to_bind(runtime, cells);
}

Task<> bind_in_both_kinds(Runtime& runtime) {
  const auto dense = co_await runtime.create<Cell>(kCount);
  co_await fail_to_bind_and_bind(runtime, dense);
  const auto sparse = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < kCount; ++i) co_await sparse[i].insert_and_wait();
  co_await fail_to_bind_and_bind(runtime, sparse);
}

TEST_CASE("an array of which a constructor throws ends, and nobody waits for it", "[chares][creation]") {
  run_everywhere(
      [](Runtime& runtime) -> Task<> {
        const std::string said =
            co_await failure_of(runtime, [&] { return runtime.create<Cell>(kCount, kFailing, Begun::nothing); });
        CHECK(said == "it is not made");
        co_await check_that_all_goes_on(runtime);
      },
      &forget);
}

TEST_CASE("so does one in whose constructor much had begun", "[chares][creation]") {
  for (const Begun begun : {Begun::destroy_all, Begun::move, Begun::end, Begun::contribute}) {
    CAPTURE(static_cast<int>(begun));
    run_everywhere(
        [begun](Runtime& runtime) -> Task<> {
          const std::string said =
              co_await failure_of(runtime, [&] { return runtime.create<Cell>(kCount, kFailing, begun); });
          CHECK(said == "it is not made");
          co_await check_that_all_goes_on(runtime);
        },
        &forget);
  }
}

TEST_CASE("and a group", "[chares][creation][group]") {
  run_everywhere(
      [](Runtime& runtime) -> Task<> {
        const int last = static_cast<int>(runtime.pes()) - 1;
        const std::string said =
            co_await failure_of(runtime, [&] { return runtime.create_group<Cell>(last, Begun::nothing); });
        CHECK(said == "it is not made");
        co_await check_that_all_goes_on(runtime);
      },
      &forget);
}

TEST_CASE("an array whose arguments cannot be copied or packed for all ends where it was made", "[chares][creation]") {
  run_everywhere([](Runtime& runtime) { return make_with_failing_argument(runtime, copies_left); }, &forget);
  run_everywhere([](Runtime& runtime) { return make_with_failing_argument(runtime, packings_left); }, &forget);
  forget();
  Scene scene({2, 2}, with(&Options::serialize_always, true));
  scene.run([](Runtime& runtime) { return make_with_failing_argument(runtime, packings_left); });
}

TEST_CASE("a bound array of which a constructor throws ends, and its leader stays", "[chares][creation][bonds]") {
  run_everywhere(bind_in_both_kinds, &forget);
  run_everywhere(fail_to_bind_many, &forget);
}

}  // namespace kaon::testing::failed_creations
