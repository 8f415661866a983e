// SPDX-License-Identifier: Apache-2.0
// Step 3 of docs/tutorial.md: a rod cools. Pieces of it send each other the values at their ends, step after step.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

constexpr int kPieces = 8, kCells = 50, kSteps = 300;

/// A half wave over all cells, which is zero just outside the rod, and which each step makes smaller by one factor.
double half_wave(int cell) { return std::sin((cell + 1) * std::numbers::pi / (kPieces * kCells + 1)); }
double factor() { return std::cos(std::numbers::pi / (kPieces * kCells + 1)); }

/// What a neighbour has at the end that touches this piece.
struct Edge {
  int step;
  double value;
};

class Piece : public kaon::Chare<Piece> {
 public:
  Piece() {
    for (int i = 0; i < kCells; ++i) cells_.push_back(half_wave(index().x * kCells + i));
  }

  // Entries, too: what is sent to them waits until it is asked for.
  kaon::Inbox<Edge, &Edge::step> from_left, from_right;

  /// Returns how far the piece is from the exact solution in the end.
  kaon::Task<double> cool() {
    const int at = index().x;
    for (int step = 0; step < kSteps; ++step) {
      if (at > 0) array()[at - 1].send<&Piece::from_right>(Edge{step, cells_.front()});
      if (at < kPieces - 1) array()[at + 1].send<&Piece::from_left>(Edge{step, cells_.back()});
      double left = 0, right = 0;
      if (at > 0) left = (co_await from_left.when(step)).value;
      if (at < kPieces - 1) right = (co_await from_right.when(step)).value;
      relax(left, right);
    }
    double error = 0;
    for (int i = 0; i < kCells; ++i)
      error = std::max(error, std::abs(cell(i) - half_wave(at * kCells + i) * std::pow(factor(), kSteps)));
    co_return error;
  }

 private:
  double cell(int i) const { return cells_[static_cast<std::size_t>(i)]; }
  void relax(double left, double right) {
    std::vector<double> next;
    for (int i = 0; i < kCells; ++i)
      next.push_back(((i > 0 ? cell(i - 1) : left) + (i < kCells - 1 ? cell(i + 1) : right)) / 2);
    cells_ = std::move(next);
  }

  std::vector<double> cells_;
};

kaon::Task<int> rod(kaon::Runtime& runtime) {
  const auto pieces = co_await runtime.create<Piece>(kPieces);
  const double error = co_await pieces.call_all<&Piece::cool>(kaon::max);
  std::printf("after %d steps no cell is wrong by more than %.1e\n", kSteps, error);
  co_return error < 1e-12 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, rod); }
