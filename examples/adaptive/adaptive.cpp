// SPDX-License-Identifier: Apache-2.0
// A drop drifts through a square of blocks that split where there is something to see and merge where there is not. The
// blocks are a sparse array whose indices are the squares of a tree. Nothing may get lost, and what comes out is held
// against the same problem on cells of the finest kind everywhere.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/adaptive/field.hpp"
#include "examples/adaptive/picture.hpp"
#include "examples/adaptive/tree.hpp"

namespace adaptive {

/// The cells at the edge of a block, for the one that the wind comes to next.
struct Edge {
  std::pair<int, int> when;  // the step and the axis
  Node from;
  Field::Values values;
};

class Block : public kaon::Chare<Block, Node> {
 public:
  kaon::Inbox<Edge, &Edge::when> edges;

  Block() = default;
  /// One of the first, with what is there at the start.
  Block(const Problem& problem, Tree tree) : problem_(problem), tree_(std::move(tree)), field_(problem.cells) {
    const double side = 1.0 / (1 << index().level);
    field_.set_initial(index().x * side, index().y * side, problem.size(index().level));
  }
  /// A part of one that has split.
  Block(const Problem& problem, Tree tree, int step, Field field)
      : problem_(problem), tree_(std::move(tree)), step_(step), field_(std::move(field)) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(edges, problem_, tree_, step_, field_);
  }

  /// So many steps. Gives the level that the block wants to have then.
  kaon::Task<Tree> drift(int steps) {
    for (const int end = step_ + steps; step_ < end; ++step_) {
      for (const Axis axis : {kX, kY})
        for (const Node& to : neighbors(tree_, index(), axis, 1)) {
          Edge edge{{step_, axis}, index(), field_.last(axis)};
          array()[to].send<&Block::edges>(std::move(edge));
        }
      std::array<Field::Values, 2> before;
      for (const Axis axis : {kX, kY}) {
        before[axis].resize(static_cast<std::size_t>(problem_.cells));
        for (std::size_t i = neighbors(tree_, index(), axis, -1).size(); i > 0; --i) {
          const std::pair<int, int> now{step_, axis};
          const Edge edge = co_await edges.when(now);
          lay(edge, axis, before[axis]);
        }
      }
      field_.drift(before, problem_.step() / problem_.size(index().level));
    }
    co_return Tree{{index(), wanted_level()}};
  }

  /// Splits, merges with its neighbors, or stays, as the next tree says.
  void become(const Tree& next) {
    tree_ = next;
    if (next.contains(index())) return;
    destroy();
    if (next.contains(index().parent())) {
      if (index().quarter() == 0) array()[index().parent()].insert(problem_, next, step_, Field(problem_.cells));
      array()[index().parent()].send<&Block::take>(index().quarter(), field_);
    } else {
      for (int quarter = 0; quarter < 4; ++quarter)
        array()[index().child(quarter)].insert(problem_, next, step_, field_.finer(quarter));
    }
  }
  void take(int quarter, const Field& part) { field_.set_quarter(quarter, part); }

  double sum() const { return field_.sum() * std::pow(problem_.size(index().level), 2); }
  std::map<Node, Field> field() const { return {{index(), field_}}; }

 private:
  int wanted_level() const {
    const double rough = field_.roughness();
    if (rough > problem_.threshold) return std::min(index().level + 1, problem_.finest);
    return rough < problem_.threshold / 4 ? std::max(index().level - 1, problem_.coarsest) : index().level;
  }
  /// Cells of a larger block count twice, of two smaller ones the mean of each two.
  void lay(const Edge& edge, Axis axis, Field::Values& before) const {
    const Axis across = axis == kX ? kY : kX;
    const std::size_t half = before.size() / 2;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (edge.from.level == index().level) before[i] = edge.values[i];
      if (edge.from.level < index().level) before[i] = edge.values[(index().along(across) % 2 == 0 ? 0 : half) + i / 2];
      if (edge.from.level > index().level && i < half)
        before[(edge.from.along(across) % 2 == 0 ? 0 : half) + i] = (edge.values[2 * i] + edge.values[2 * i + 1]) / 2;
    }
  }

  Problem problem_;
  Tree tree_;
  int step_ = 0;
  Field field_;
};

struct Options {
  Problem problem;
  int every = 4;
  std::string strategy = "none";
  std::string picture;
};

const std::map<std::string, kaon::Strategy>& strategies_by_name() {
  static const std::map<std::string, kaon::Strategy> all{{"none", kaon::strategies::none},
                                                         {"greedy", kaon::strategies::greedy},
                                                         {"refine", kaon::strategies::refine},
                                                         {"rotate", kaon::strategies::rotate},
                                                         {"gossip", kaon::strategies::gossip}};
  return all;
}

/// What is there, in the finest cells.
Field in_one(const Problem& problem, const std::map<Node, Field>& blocks) {
  Field whole(problem.cells << problem.finest);
  for (const auto& [node, block] : blocks) {
    const int times = 1 << (problem.finest - node.level), side = problem.cells * times;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) whole.at(node.x * side + x, node.y * side + y) = block.at(x / times, y / times);
  }
  return whole;
}

/// How far apart they are, of all that there is.
double difference(const Field& one, const Field& other) {
  double sum = 0;
  for (int y = 0; y < one.count(); ++y)
    for (int x = 0; x < one.count(); ++x) sum += std::abs(one.at(x, y) - other.at(x, y));
  return sum / other.sum();
}

/// Whether the outcome is right: nothing lost, and as a uniform grid has it, to the last digit when blocks do not
/// split.
bool is_right(const Options& options, const std::map<Node, Field>& blocks, double before, double after) {
  const Field solution = uniform_solution(options.problem), whole = in_one(options.problem, blocks);
  const double lost = std::abs(after - before) / before, apart = difference(whole, solution);
  const double allowed = options.problem.coarsest == options.problem.finest ? 0 : 4 * options.problem.threshold;
  std::printf("%.1e of all got lost, %.1e is elsewhere than on the finest grid\n", lost, apart);
  if (!options.picture.empty()) draw(options.picture, options.problem, blocks, whole);
  return lost < 1e-12 && apart <= allowed;
}

kaon::Task<int> solve(kaon::Runtime& runtime, Options options) {
  const Problem problem = options.problem;
  const auto blocks = co_await runtime.create_sparse<Block>();
  Tree tree;
  for (int y = 0; y < 1 << problem.finest; ++y)
    for (int x = 0; x < 1 << problem.finest; ++x) tree[{problem.finest, x, y}] = problem.finest;
  for (const auto& [node, level] : tree) blocks[node].insert(problem, tree);
  co_await runtime.quiescence();
  const double before = co_await blocks.call_all<&Block::sum>(kaon::sum);
  const auto start = std::chrono::steady_clock::now();
  std::size_t steps_of_blocks = 0;
  for (int step = 0; step < problem.steps(); step += options.every) {
    const int steps = std::min(options.every, problem.steps() - step);
    steps_of_blocks += tree.size() * static_cast<std::size_t>(steps);
    tree = next_tree(co_await blocks.call_all<&Block::drift>(kaon::unite, steps));
    blocks.broadcast<&Block::become>(tree);
    co_await runtime.quiescence();
    co_await runtime.rebalance(blocks, strategies_by_name().at(options.strategy));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double after = co_await blocks.call_all<&Block::sum>(kaon::sum);
  const auto fields = co_await blocks.call_all<&Block::field>(kaon::unite);
  std::printf("%d steps in %.3f s on %u PEs, by %.0f blocks in the mean of %d that could be, %zu at the end\n",
              problem.steps(), seconds, runtime.pes(), static_cast<double>(steps_of_blocks) / problem.steps(),
              1 << 2 * problem.finest, tree.size());
  const bool is_whole = fields.size() == tree.size();
  const bool is_good = is_whole && is_right(options, fields, before, after);
  if (!is_good) std::printf("wrong%s\n", is_whole ? "" : ": blocks are missing");
  co_return is_good ? 0 : 1;
}

kaon::Task<int> adaptive_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  CLI::App app("A drop drifts through blocks that split around it and merge behind it.");
  app.add_option("--coarsest", options.problem.coarsest, "level: 2^level blocks along each axis")
      ->check(CLI::Range(0, 10))
      ->capture_default_str();
  app.add_option("--finest", options.problem.finest, "level")->check(CLI::Range(0, 10))->capture_default_str();
  app.add_option("--time", options.problem.time, "that the drop drifts")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  app.add_option("--every", options.every, "steps until blocks split and merge")
      ->check(CLI::Range(1, 7))
      ->capture_default_str();
  app.add_option("--strategy", options.strategy, "of balancing then: none, greedy, refine, rotate or gossip")
      ->check(CLI::IsMember(strategies_by_name()))
      ->capture_default_str();
  app.add_option("--picture", options.picture, "writes the end to this PNG file");
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  if (options.problem.coarsest > options.problem.finest) throw kaon::UsageError("--coarsest is above --finest");
  co_return co_await solve(runtime, options);
}

}  // namespace adaptive

int main(int argc, char** argv) { return kaon::run(argc, argv, adaptive::adaptive_main); }
