// SPDX-License-Identifier: Apache-2.0
// Step 4 of docs/tutorial.md: a rod between a cold and a hot end, until nothing changes any more: a reduction after
// every hundred steps says so to all pieces. The command line says how long the rod is.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

struct Edge {
  int step;
  double value;
};

class Piece : public kaon::Chare<Piece> {
 public:
  Piece(int pieces, int cells) : pieces_(pieces), cells_(static_cast<std::size_t>(cells) + 2) {
    if (index().x == pieces - 1) cells_.back() = 1;  // the hot end
  }

  kaon::Inbox<Edge, &Edge::step> from_left, from_right;

  /// Returns the number of steps.
  kaon::Task<int> heat(double tolerance) {
    for (int step = 0;; ++step) {
      send_edges(step);
      if (index().x > 0) cells_.front() = (co_await from_left.when(step)).value;
      if (index().x < pieces_ - 1) cells_.back() = (co_await from_right.when(step)).value;
      const double change = relax();
      if (step % 100 != 99) continue;
      const double largest = co_await contribute(kaon::max, change);  // of all pieces, and all get it
      if (largest < tolerance) co_return step + 1;
    }
  }

  /// The largest distance from the straight line between the ends.
  double error() const {
    const double inner = static_cast<double>(cells_.size() - 2), all = inner * pieces_ + 1;
    double error = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i)
      error = std::max(error, std::abs(cells_[i] - (index().x * inner + static_cast<double>(i)) / all));
    return error;
  }

 private:
  void send_edges(int step) {
    const int at = index().x;
    if (at > 0) array()[at - 1].send<&Piece::from_right>(Edge{step, cells_[1]});
    if (at < pieces_ - 1) array()[at + 1].send<&Piece::from_left>(Edge{step, cells_[cells_.size() - 2]});
  }
  double relax() {
    const std::vector<double> old = cells_;
    double change = 0;
    for (std::size_t i = 1; i + 1 < old.size(); ++i) {
      cells_[i] = (old[i - 1] + old[i + 1]) / 2;
      change = std::max(change, std::abs(cells_[i] - old[i]));
    }
    return change;
  }

  int pieces_;
  std::vector<double> cells_;  // and one of a neighbour, or an end of the rod, on each side
};

kaon::Task<int> rod(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int pieces = 4, cells = 10;
  CLI::App app("A rod between a cold and a hot end", "tutorial4");
  app.add_option("--pieces", pieces, "chares")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--cells", cells, "cells of each")->check(CLI::PositiveNumber)->capture_default_str();
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;

  const auto rod = co_await runtime.create<Piece>(pieces, pieces, cells);
  const int steps = co_await rod.call_all<&Piece::heat>(kaon::max, 1e-9);
  const double off = co_await rod.call_all<&Piece::error>(kaon::max);
  std::printf("%d steps; the straight line is met within %.1e\n", steps, off);
  const double all = pieces * cells, most = 1e-9 * all * all;
  co_return off < most ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, rod); }
