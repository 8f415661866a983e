// SPDX-License-Identifier: Apache-2.0
// Step 8 of docs/tutorial.md: Jacobi3D on GPUs. Faces go from the memory of one into that of another.
#include <algorithm>
#include <cstdio>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/tutorial/cube.hpp"
#include "examples/tutorial/tutorial8.kernels.hpp"

constexpr int kSteps = 50;

struct Halo {
  int step;
  int face;
  kaon::Payload<double> plane;
};

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(Cube cube) : cube_(cube) {
    const Cells cells(cube, place());
    kaon::gpu::Pinned<double> start(cells.now.size(), stream_);
    std::ranges::copy(cells.now, start.span().begin());
    stream_.copy(now_.span(), start);
    stream_.fill(next_.span(), 0);  // also the layer beyond, which stays so at the faces of the cube
  }

  kaon::Inbox<Halo, &Halo::step> halos;

  kaon::Task<double> run() {
    for (int step = 0; step < kSteps; ++step) {
      send_faces(step);
      for (int missing = cube_.neighbours(place()); missing > 0; --missing) {
        const Halo halo = co_await halos.when(step);
        stream_.for_each(plane(), UnpackFace{layout(), now_.data(), halo.face, halo.plane.view(stream_).data()});
      }
      stream_.for_each(plane() * layout().n, Relax{layout(), now_.data(), next_.data()});
      std::swap(now_, next_);
    }
    co_return co_await error();
  }

 private:
  Triple place() const { return {index().x, index().y, index().z}; }
  Layout layout() const { return {static_cast<std::size_t>(cube_.cells)}; }
  std::size_t plane() const { return layout().n * layout().n; }
  std::size_t volume() const { return (layout().n + 2) * layout().plane(); }

  /// A face leaves when the kernel that packs it has run; nobody waits for that.
  void send_faces(int step) {
    for (int face = 0; face < kFaces; ++face) {
      const Triple to = Cube::beyond(place(), face);
      if (!cube_.has(to)) continue;
      kaon::gpu::Buffer<double> packed(plane(), stream_);
      stream_.for_each(plane(), PackFace{layout(), now_.data(), face, packed.data()});
      kaon::Payload<double> payload(std::move(packed), stream_);
      array()[{to[0], to[1], to[2]}].send<&Block::halos>(Halo{step, opposite(face), std::move(payload)});
    }
  }

  kaon::Task<double> error() {
    kaon::gpu::Pinned<double> values(volume(), stream_);
    stream_.copy(values, now_.span());
    co_await stream_.drained();
    Cells cells(cube_, place());
    std::ranges::copy(values.span(), cells.now.begin());
    co_return cells.error(cube_, place(), kSteps);
  }

  Cube cube_;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<double> now_{volume(), stream_}, next_{volume(), stream_};
};

kaon::Task<int> jacobi(kaon::Runtime& runtime) {
  const Cube cube{.blocks = 2, .cells = 24};
  const auto blocks = co_await runtime.create<Block>({cube.blocks, cube.blocks, cube.blocks}, cube);
  const double error = co_await blocks.call_all<&Block::run>(kaon::max);
  std::printf("after %d steps no cell is wrong by more than %.1e\n", kSteps, error);
  co_return error < 1e-12 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, jacobi, kaon::with_devices); }
