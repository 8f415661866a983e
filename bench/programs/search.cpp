// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a random graph whose vertices are elements. A vertex that learns of a shorter way tells its
// neighbors at once, so that no level waits for another; the end is quiescence. Levels are compared with those of a
// search without messages.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/random.hpp"

namespace search {

using kaon::bench::Clock;

constexpr int kUnreached = std::numeric_limits<int>::max();

/// The neighbors of a vertex: the same wherever it is asked for.
std::vector<int> neighbors_of(int vertex, int vertices, int degree) {
  std::vector<int> neighbors{(vertex + 1) % vertices};  // a ring through all: each can be reached
  auto random = static_cast<std::uint64_t>(vertex) * 2654435761U + 1;
  while (static_cast<int>(neighbors.size()) < degree) {
    random = kaon::bench::next_random(random);
    neighbors.push_back(kaon::bench::pick(kaon::bench::next_random(random), vertices));
  }
  return neighbors;
}

/// Visits, and what their levels add up to.
struct Found {
  std::uint64_t visits = 0;
  std::uint64_t levels = 0;
};

struct AddFound {
  Found operator()(Found total, const Found& other) const {
    return {total.visits + other.visits, total.levels + other.levels};
  }
};

class Vertex : public kaon::Chare<Vertex> {
 public:
  explicit Vertex(int degree) : neighbors_(neighbors_of(index().x, array().shape().x, degree)) {}

  void visit(int level) {
    ++visits_;
    if (level >= level_) return;
    level_ = level;
    for (const int neighbor : neighbors_) array()[neighbor].send<&Vertex::visit>(level + 1);
  }
  Found found() const { return {visits_, static_cast<std::uint64_t>(level_)}; }
  bool forget() {
    level_ = kUnreached;
    visits_ = 0;
    return true;
  }

 private:
  std::vector<int> neighbors_;
  int level_ = kUnreached;
  std::uint64_t visits_ = 0;
};

/// What all levels add up to, found without messages.
std::uint64_t sum_of_levels(int vertices, int degree) {
  std::vector<int> level(static_cast<std::size_t>(vertices), kUnreached), frontier{0}, next;
  level[0] = 0;
  std::uint64_t sum = 0;
  for (int depth = 1; !frontier.empty(); ++depth, frontier.swap(next), next.clear())
    for (const int vertex : frontier)
      for (const int neighbor : neighbors_of(vertex, vertices, degree)) {
        int& known = level[static_cast<std::size_t>(neighbor)];
        if (known != kUnreached) continue;
        known = depth;
        sum += static_cast<std::uint64_t>(depth);
        next.push_back(neighbor);
      }
  return sum;
}

/// Millions of visits a second.
kaon::Task<double> rate_of(kaon::Runtime& runtime, kaon::Proxy<Vertex> graph, std::uint64_t expected) {
  co_await graph.call_all<&Vertex::forget>(kaon::sum);
  const auto start = Clock::now();
  graph[0].send<&Vertex::visit>(0);
  co_await runtime.quiescence();
  const double seconds = kaon::bench::seconds_between(start, Clock::now());
  const Found found = co_await graph.call_all<&Vertex::found>(AddFound());
  if (found.levels != expected)
    throw std::logic_error(fmt::format("the levels add up to {}, not to {}", found.levels, expected));
  co_return 1e-6 * static_cast<double>(found.visits) / seconds;
}

kaon::Task<int> search(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int vertices = 100'000, degree = 8, repetitions = 3;
  kaon::bench::CommandLine app("Visits a second in the breadth-first search of a random graph");
  app.number("--vertices", vertices, 2, 100'000'000);
  app.number("--degree", degree, 1, 1000, "neighbors of a vertex");
  app.number("--repetitions", repetitions, 1, 1000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const kaon::Proxy<Vertex> graph = co_await runtime.create<Vertex>(vertices, degree);
  const std::uint64_t expected = sum_of_levels(vertices, degree);
  co_await rate_of(runtime, graph, expected);  // warm-up
  std::vector<double> rates;
  for (int i = 0; i < repetitions; ++i) rates.push_back(co_await rate_of(runtime, graph, expected));
  std::sort(rates.begin(), rates.end());
  kaon::bench::print_measurement("breadth-first search", rates[rates.size() / 2], "M/s");
  co_return 0;
}

}  // namespace search

int main(int argc, char** argv) { return kaon::run(argc, argv, search::search); }
