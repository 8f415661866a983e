// SPDX-License-Identifier: Apache-2.0
// Step 6 of docs/tutorial.md: Jacobi3D whose blocks have different amounts of work, and move to PEs that have less.
#include <cstdio>
#include <utility>

#include <kaon/kaon.hpp>

#include "examples/tutorial/cube.hpp"

constexpr int kSteps = 60;

struct Halo {
  int step;
  int face;
  kaon::Payload<double> plane;
};

class Block : public kaon::Chare<Block> {
 public:
  Block() = default;  // what it holds comes by pup()
  explicit Block(Cube cube) : cube_(cube), cells_(cube, place()) {}

  /// Names what moves along.
  template <class Archive>
  void pup(Archive& archive) {
    archive(cube_.blocks, cube_.cells, cells_.cells, cells_.now, cells_.next, step_, moves_, last_, halos);
  }

  kaon::Inbox<Halo, &Halo::step> halos;

  /// Goes on with the step that comes next, perhaps on another PE than the one before.
  kaon::Task<double> run() {
    if (last_ != static_cast<int>(pe())) ++moves_;
    last_ = static_cast<int>(pe());
    while (step_ < kSteps) {
      send_faces();
      for (int missing = cube_.neighbours(place()); missing > 0; --missing) {
        const Halo halo = co_await halos.when(step_);
        cells_.set_beyond(halo.face, halo.plane.view());
      }
      for (int again = index().x; again > 0; --again) Cells(cells_).relax();  // more to do at high x
      cells_.relax();
      if (++step_ % 20 == 0) co_await rebalance<&Block::run>();
    }
    co_return cells_.error(cube_, place(), kSteps);
  }
  int moves() const { return moves_ - 1; }  // the first PE was no move

 private:
  Triple place() const { return {index().x, index().y, index().z}; }

  void send_faces() {
    for (int face = 0; face < kFaces; ++face) {
      const Triple to = Cube::beyond(place(), face);
      if (!cube_.has(to)) continue;
      kaon::Payload<double> plane(cells_.face(face));
      array()[{to[0], to[1], to[2]}].send<&Block::halos>(Halo{step_, opposite(face), std::move(plane)});
    }
  }

  Cube cube_;
  Cells cells_;
  int step_ = 0, moves_ = 0, last_ = -1;
};

kaon::Task<int> jacobi(kaon::Runtime& runtime) {
  const Cube cube{.blocks = 4, .cells = 8};
  const auto blocks = co_await runtime.create<Block>({cube.blocks, cube.blocks, cube.blocks}, cube);
  co_await runtime.balance(blocks, kaon::strategies::greedy);
  const double error = co_await blocks.call_all<&Block::run>(kaon::max);
  const int moves = co_await blocks.call_all<&Block::moves>(kaon::sum);
  const auto steps = runtime.balancing_report(blocks).steps;
  std::printf("%d moves in %d steps of balancing; no cell is wrong by more than %.1e\n", moves, static_cast<int>(steps),
              error);
  co_return error < 1e-12 && (moves > 0 || runtime.pes() == 1) ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, jacobi); }
