// SPDX-License-Identifier: Apache-2.0
// Arrays and groups: what a proxy reaches.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::proxies {

struct Visit {
  Index index;
  PeId pe;
  int value;
};
std::vector<Visit> visits;
void forget_visits() { visits.clear(); }

struct Point {
  int x = 0;
  std::vector<double> values;
};

class Cell : public Chare<Cell> {
 public:
  explicit Cell(int base = 0) : base_(base) {}

  void visit(int value) { visits.push_back({index(), pe(), base_ + value}); }
  void take(const std::string& text, Point point, const std::vector<std::string>& more) {
    visits.push_back({index(), pe(), static_cast<int>(text.size() + point.values.size() + more.size()) + point.x});
  }
  void pass_on(Element<Cell> to, Proxy<Cell> all, int value) {
    to.send<&Cell::visit>(value);
    if (value == 0) all.broadcast<&Cell::visit>(1);
  }
  void tell_neighbours() {
    for (int x = 0; x < array().shape().x; ++x) array()[x].send<&Cell::visit>(index().x);
  }
  void send_outside() { array()[array().shape().x].send<&Cell::visit>(0); }

 private:
  int base_;
};

/// How often each index was visited, and whether each always on one PE.
std::map<std::tuple<int, int, int>, int> count_by_index() {
  std::map<std::tuple<int, int, int>, int> counts;
  for (const Visit& visit : visits) ++counts[{visit.index.x, visit.index.y, visit.index.z}];
  return counts;
}

Task<> visit_each(Runtime& runtime, Shape shape, Map map) {
  visits.clear();
  const auto cells = co_await runtime.create_mapped<Cell>(shape, map, 100);
  CHECK(cells.shape() == shape);
  for (std::uint64_t i = 0; i < shape.count(); ++i) cells[shape.index(i)].send<&Cell::visit>(static_cast<int>(i));
  co_await runtime.quiescence();
  CHECK(visits.size() == shape.count());
  CHECK(count_by_index().size() == shape.count());
  const Placement placement(map, shape.count(), runtime.pes());
  for (const Visit& visit : visits) {
    CHECK(visit.value == 100 + static_cast<int>(shape.linear(visit.index)));
    CHECK(visit.pe == placement.home(shape.linear(visit.index)));
  }
}

Task<> visit_arrays(Runtime& runtime) {
  for (const Map map : {Map::block, Map::round_robin}) {
    co_await visit_each(runtime, Shape(1), map);
    co_await visit_each(runtime, Shape(2), map);
    co_await visit_each(runtime, Shape(37), map);
    co_await visit_each(runtime, Shape(5, 3), map);
    co_await visit_each(runtime, Shape(3, 2, 4), map);
  }
}

Task<> broadcast_to_arrays(Runtime& runtime) {
  for (const int count : {1, 2, 40, 1500}) {
    visits.clear();
    const auto cells = co_await runtime.create_mapped<Cell>(count, count % 3 ? Map::block : Map::round_robin, 0);
    for (int round = 0; round < 3; ++round) cells.broadcast<&Cell::visit>(round);
    co_await runtime.quiescence();
    const auto counts = count_by_index();
    CHECK(counts.size() == static_cast<std::size_t>(count));
    CHECK(std::all_of(counts.begin(), counts.end(), [](const auto& each) { return each.second == 3; }));
  }
}

Task<> send_values(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(6, 0);
  std::string text = "four";
  const Point point{1000, {1.5, 2.5, 3.5}};
  const std::vector<std::string> more{"a", "b"};
  cells[1].send<&Cell::take>(text, point, more);
  cells[5].send<&Cell::take>(std::move(text), point, more);
  cells.broadcast<&Cell::take>("12345", Point{}, more);
  co_await runtime.quiescence();
  CHECK(point.values.size() == 3);
  CHECK(more.size() == 2);
  CHECK(std::count_if(visits.begin(), visits.end(), [](const Visit& v) { return v.value == 1009; }) == 2);
  CHECK(std::count_if(visits.begin(), visits.end(), [](const Visit& v) { return v.value == 7; }) == 6);
}

Task<> pass_proxies_on(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(8, 0);
  for (int i = 0; i < 8; ++i) cells[i].send<&Cell::pass_on>(cells[7 - i], cells, i);
  co_await runtime.quiescence();
  CHECK(visits.size() == 8 + 8);
}

Task<> all_to_all(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(30, 0);
  cells.broadcast<&Cell::tell_neighbours>();
  co_await runtime.quiescence();
  const auto counts = count_by_index();
  CHECK(counts.size() == 30);
  CHECK(std::all_of(counts.begin(), counts.end(), [](const auto& each) { return each.second == 30; }));
}

class Member : public Chare<Member> {
 public:
  void count() { ++counted; }
  int look() const { return counted; }
  void ask_local(Group<Member> group) { group.local().counted += 10; }
  int counted = 0;
};

Task<> use_group(Runtime& runtime) {
  const auto group = co_await runtime.create_group<Member>();
  CHECK(group.shape() == Shape(static_cast<int>(runtime.pes())));
  group.broadcast<&Member::count>();
  for (PeId pe = 0; pe < runtime.pes(); ++pe) group[static_cast<int>(pe)].send<&Member::ask_local>(group);
  co_await runtime.quiescence();
  CHECK(group.local().pe() == runtime.pe());
  CHECK(group.local().counted == 11);
  for (PeId pe = 0; pe < runtime.pes(); ++pe) {
    const int counted = co_await group[static_cast<int>(pe)].call<&Member::look>();
    CHECK(counted == 11);
  }
}

/// Says who it is from its constructor, which may send already.
class Eager : public Chare<Eager> {
 public:
  Eager() {
    constructed.push_back(index().x);
    array()[(index().x + 1) % array().shape().x].send<&Eager::hello>(index().x);
  }
  void hello(int from) { greeted.push_back(from); }
  static inline std::vector<int> constructed, greeted;
};

Task<> send_from_constructors(Runtime& runtime) {
  Eager::constructed.clear();
  Eager::greeted.clear();
  co_await runtime.create<Eager>(11);
  CHECK(Eager::constructed.size() == 11);
  co_await runtime.quiescence();
  std::sort(Eager::greeted.begin(), Eager::greeted.end());
  CHECK(Eager::greeted == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

Task<> create_side_by_side(Runtime& runtime) {
  const auto [cells, members] = co_await all(runtime.create<Cell>(5, 0), runtime.create_group<Member>());
  CHECK(cells.id() != members.id());
  cells.broadcast<&Cell::visit>(0);
  members.broadcast<&Member::count>();
  co_await runtime.quiescence();
  CHECK(visits.size() == 5);
  CHECK(members.local().counted == 1);
}

Task<> create_impossible(Runtime& runtime) { co_await runtime.create<Cell>(Shape(3, 0), 0); }
Task<> use_index_outside(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(Shape(4, 2), 0);
  for (const Index index : {Index(4, 0), Index(0, 2), Index(0, 0, 1), Index(-1, 0)})
    CHECK_THROWS_AS(cells[index], UsageError);
  CHECK(has(thrown<UsageError>([&] { (void)cells[{4, 1}]; }), "index (4, 1, 0) is outside the array of 4 x 2 x 1"));
}
Task<> send_outside_from_an_entry(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(4, 0);
  cells[3].send<&Cell::send_outside>();
  co_await runtime.quiescence();
}
Task<> use_empty_proxy(Runtime&) {
  Proxy<Cell>()[0].send<&Cell::visit>(0);
  co_return;
}

TEST_CASE("a message reaches the element that was named, wherever it is", "[chares][proxy]") {
  run_everywhere(visit_arrays, forget_visits);
}
TEST_CASE("a broadcast reaches every element once", "[chares][proxy]") {
  run_everywhere(broadcast_to_arrays, forget_visits);
}
TEST_CASE("arguments arrive as values", "[chares][proxy]") { run_everywhere(send_values, forget_visits); }
TEST_CASE("proxies and elements travel as arguments", "[chares][proxy]") {
  run_everywhere(pass_proxies_on, forget_visits);
}
TEST_CASE("every element sends to every other", "[chares][proxy]") { run_everywhere(all_to_all, forget_visits); }
TEST_CASE("a group has a chare on each PE, an ordinary object there", "[chares][proxy]") { run_everywhere(use_group); }
TEST_CASE("constructors may send to elements that are not there yet", "[chares][proxy]") {
  run_everywhere(send_from_constructors);
}
TEST_CASE("arrays are made side by side", "[chares][proxy]") { run_everywhere(create_side_by_side, forget_visits); }

TEST_CASE("an index outside the array is refused where it is used", "[chares][proxy]") {
  Scene().run(use_index_outside);
  CHECK(has(thrown<UsageError>([] { Scene().run(send_outside_from_an_entry); }), "index (4, 0, 0) is outside"));
}

TEST_CASE("arrays and proxies that cannot be are refused", "[chares][proxy]") {
  CHECK(has(thrown<UsageError>([] { Scene().run(create_impossible); }), "3 x 0 x 1"));
  CHECK(has(thrown<UsageError>([] { Scene().run(use_empty_proxy); }), "a proxy names no array"));
  CHECK(has(thrown<UsageError>([] { Proxy<Cell>(1, 2)[0].send<&Cell::visit>(1); }), "a thread that is no PE"));
}

TEST_CASE("what is sent to an element elsewhere is on its way at once, not a message that its own PE is to run",
          "[chares][proxy]") {
  Scene scene({2, 1});
  Network& network = scene.network();
  static Proxy<Cell> cells;
  scene.run([](Runtime& runtime) -> Task<> { cells = co_await runtime.create<Cell>(2, 0); });
  network.run_until_idle();
  REQUIRE(network.wire().pending().empty());
  network.on(0, [](Pe& pe) {
    cells[1].send<&Cell::visit>(1);
    pe.move_network();
  });
  CHECK(network.wire().pending().size() == 1);
  network.run_until_idle();
}

}  // namespace kaon::testing::proxies
