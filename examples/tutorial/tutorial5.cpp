// SPDX-License-Identifier: Apache-2.0
// Step 5 of docs/tutorial.md: Jacobi3D. Blocks of a cube send each other their faces as payloads.
#include <cstdio>
#include <utility>

#include <kaon/kaon.hpp>

#include "examples/tutorial/cube.hpp"

constexpr int kSteps = 100;

struct Halo {
  int step;
  int face;  // of the receiver
  kaon::Payload<double> plane;
};

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(Cube cube) : cube_(cube), cells_(cube, place()) {}

  kaon::Inbox<Halo, &Halo::step> halos;

  kaon::Task<double> run() {
    for (int step = 0; step < kSteps; ++step) {
      send_faces(step);
      for (int missing = cube_.neighbours(place()); missing > 0; --missing) {
        const Halo halo = co_await halos.when(step);  // of this step, from whatever side
        cells_.set_beyond(halo.face, halo.plane.view());
      }
      cells_.relax();
    }
    co_return cells_.error(cube_, place(), kSteps);
  }

 private:
  Triple place() const { return {index().x, index().y, index().z}; }

  void send_faces(int step) {
    for (int face = 0; face < kFaces; ++face) {
      const Triple to = Cube::beyond(place(), face);
      if (!cube_.has(to)) continue;
      kaon::Payload<double> plane(cells_.face(face));
      array()[{to[0], to[1], to[2]}].send<&Block::halos>(Halo{step, opposite(face), std::move(plane)});
    }
  }

  Cube cube_;
  Cells cells_;
};

kaon::Task<int> jacobi(kaon::Runtime& runtime) {
  const Cube cube{.blocks = 3, .cells = 16};
  const auto blocks = co_await runtime.create<Block>({cube.blocks, cube.blocks, cube.blocks}, cube);
  const double error = co_await blocks.call_all<&Block::run>(kaon::max);
  std::printf("after %d steps no cell is wrong by more than %.1e\n", kSteps, error);
  co_return error < 1e-12 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, jacobi); }
