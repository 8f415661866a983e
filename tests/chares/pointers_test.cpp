// SPDX-License-Identifier: Apache-2.0
// Objects by pointers as arguments, results and members of chares that move.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::pointers {

class Rule {
 public:
  virtual ~Rule() = default;
  virtual int apply(int value) const = 0;
  template <class Archive>
  void pup(Archive&) {}
};
class Add : public Rule {
 public:
  explicit Add(int by = 0) : by_(by) {}
  int apply(int value) const override { return value + by_; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(by_);
  }

 private:
  int by_;
};
class Both : public Rule {
 public:
  Both() = default;
  Both(std::unique_ptr<Rule> first, std::unique_ptr<Rule> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  int apply(int value) const override { return second_->apply(first_->apply(value)); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(first_, second_);
  }

 private:
  std::unique_ptr<Rule> first_, second_;
};
class Strange : public Rule {
 public:
  int apply(int value) const override { return value; }
};
inline const PolymorphicType<Rule, Add> add;
inline const PolymorphicType<Rule, Both> both;

struct Vertex {
  int value = 0;
  std::vector<std::weak_ptr<Vertex>> neighbors;
};
using Graph = std::vector<std::shared_ptr<Vertex>>;

/// A ring of so many.
Graph ring(int count) {
  Graph graph;
  for (int i = 0; i < count; ++i) graph.push_back(std::make_shared<Vertex>(Vertex{i, {}}));
  for (int i = 0; i < count; ++i)
    graph[static_cast<std::size_t>(i)]->neighbors = {graph[static_cast<std::size_t>((i + 1) % count)]};
  return graph;
}
/// Goes round it; -1 when it is none.
int walk(const Graph& graph) {
  int sum = 0;
  std::shared_ptr<Vertex> at = graph[0];
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (at != graph[i]) return -1;
    sum += at->value;
    at = at->neighbors.at(0).lock();
  }
  return at == graph[0] ? sum : -1;
}

class Keeper : public Chare<Keeper> {
 public:
  void keep(std::unique_ptr<Rule> rule) { rule_ = std::move(rule); }
  int apply(int value) const { return rule_->apply(value); }
  std::unique_ptr<Rule> give() { return std::move(rule_); }
  int walk_round(const Graph& graph) { return walk(graph); }
  Graph make_ring(int count) { return ring(count); }
  void leave() { migrate_to((pe() + 1) % this_runtime().pes()); }
  std::unique_ptr<Rule> give_strange() { return std::make_unique<Strange>(); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(rule_);
  }

 private:
  std::unique_ptr<Rule> rule_;
};

Task<> send_objects(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(5);
  for (int i = 0; i < 5; ++i) {
    auto rule = std::make_unique<Both>(std::make_unique<Add>(i), std::make_unique<Add>(10 * i));
    keepers[i].send<&Keeper::keep>(std::move(rule));
  }
  co_await runtime.quiescence();
  for (int i = 0; i < 5; ++i) keepers[i].send<&Keeper::leave>();
  co_await runtime.quiescence();
  for (int i = 0; i < 5; ++i) CHECK_AWAITED(keepers[i].call<&Keeper::apply>(1000), 1000 + 11 * i);
  const std::unique_ptr<Rule> given = co_await keepers[4].call<&Keeper::give>();
  CHECK(dynamic_cast<const Both*>(given.get()) != nullptr);
  CHECK(given->apply(0) == 44);
}

Task<> send_graphs(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(5);
  for (int i = 0; i < 5; ++i) {
    Graph graph = ring(10);
    const int walked = co_await keepers[i].call<&Keeper::walk_round>(std::move(graph));
    CHECK(walked == 45);
    const Graph made = co_await keepers[i].call<&Keeper::make_ring>(7);
    CHECK(walk(made) == 21);
  }
}

Task<> give_what_is_not_listed(Runtime& runtime) {
  const auto keepers = co_await runtime.create_group<Keeper>();
  std::string text;
  try {
    (void)co_await keepers[1].call<&Keeper::give_strange>();
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(has(text, "PolymorphicType<kaon::testing::pointers::Rule, kaon::testing::pointers::Strange>"));
}

TEST_CASE("objects of derived classes are sent, given and move with their chare", "[chares][pointers]") {
  run_everywhere(send_objects);
}
TEST_CASE("a graph arrives as it was", "[chares][pointers]") { run_everywhere(send_graphs); }
TEST_CASE("a result of a class that is not listed is an error where it is awaited", "[chares][pointers]") {
  Scene({2, 1}).run(give_what_is_not_listed);
}

}  // namespace kaon::testing::pointers
