// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <vector>

#include "tests/examples/block_mesh.hpp"
#include "tests/examples/reference_solver.hpp"
#include "tests/support/catch.hpp"

namespace {

using jacobi3d::Sweep;
using jacobi3d::SweepFunction;
using jacobi3d::Triple;
using jacobi3d::Writing;
using jacobi3d::WritingTrial;
using kaon::testing::BlockMesh;
using kaon::testing::ReferenceSolver;

int count_different_points(const BlockMesh& mesh, const ReferenceSolver& reference, const Triple& points) {
  int different = 0;
  for (int x = 0; x < points[0]; ++x)
    for (int y = 0; y < points[1]; ++y)
      for (int z = 0; z < points[2]; ++z) different += mesh.value(x, y, z) != reference.value(x, y, z);
  return different;
}

void compare(const Triple& shape, const Triple& blocks, SweepFunction sweep, Writing writing, int planes_at_once) {
  const Triple points{shape[0] * blocks[0], shape[1] * blocks[1], shape[2] * blocks[2]};
  BlockMesh mesh(shape, blocks);
  mesh.use(sweep, writing);
  ReferenceSolver reference(points[0], points[1], points[2]);
  for (int step = 0; step < 12; ++step) REQUIRE(mesh.step(planes_at_once) == reference.step());
  CHECK(count_different_points(mesh, reference, points) == 0);
  CHECK(std::abs(mesh.sum() - reference.sum()) <= 1e-13 * reference.sum());
}

// With every version of the sweep that this processor can run, written in both ways.
void compare(const Triple& shape, const Triple& blocks, int planes_at_once = 0) {
  const auto sweeps = jacobi3d::runnable_sweeps();
  for (std::size_t version = 0; version < sweeps.size(); ++version) {
    CAPTURE(shape, blocks, planes_at_once, version);
    for (const Writing writing : {Writing::cached, Writing::streamed})
      compare(shape, blocks, sweeps[version].sweep, writing, planes_at_once);
  }
}

}  // namespace

TEST_CASE("one block of any shape equals the sequential solver in every bit", "[jacobi3d]") {
  // Rows shorter than a vector, as long, in between and longer, for vectors of 2, 4 and 8.
  for (const int nz : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 64}) compare({3, 4, nz}, {1, 1, 1});
  compare({1, 1, 1}, {1, 1, 1});
  compare({1, 7, 20}, {1, 1, 1});
  compare({9, 1, 13}, {1, 1, 1});
}

TEST_CASE("the decomposition does not show in any bit", "[jacobi3d]") {
  for (const Triple& blocks : {Triple{1, 1, 1}, Triple{2, 1, 1}, Triple{1, 3, 1}, Triple{1, 1, 4}, Triple{2, 3, 4},
                               Triple{12, 12, 12}, Triple{4, 2, 1}, Triple{1, 6, 12}})
    compare({12 / blocks[0], 12 / blocks[1], 12 / blocks[2]}, blocks);
}

TEST_CASE("uneven blocks equal the sequential solver in every bit", "[jacobi3d]") {
  compare({5, 3, 11}, {2, 2, 2});
  compare({2, 9, 8}, {3, 1, 2});
  compare({4, 2, 19}, {1, 4, 2});
}

TEST_CASE("a sweep in pieces equals a sweep in one", "[jacobi3d]") {
  for (const int planes_at_once : {1, 2, 3, 5}) compare({7, 4, 16}, {2, 2, 2}, planes_at_once);
}

namespace {

// The way that eight sweeps decide for, of which those through the caches and past them take so long.
Writing chosen(std::array<double, 8> seconds) {
  WritingTrial trial;
  for (const double took : seconds) {
    CHECK_FALSE(trial.is_over());
    trial.took(took);
  }
  CHECK(trial.is_over());
  return trial.next();
}

}  // namespace

TEST_CASE("the first sweeps of a block take turns through the caches and past them", "[jacobi3d]") {
  WritingTrial trial;
  for (int sweep = 0; sweep < 8; ++sweep) {
    CHECK((trial.next() == Writing::streamed) == (sweep / 2 % 2 == 1));
    trial.took(1);
  }
}

TEST_CASE("a block writes in the faster way, whatever a sweep of the other way left in the caches", "[jacobi3d]") {
  CHECK(chosen({9, 3, 1, 2, 9, 3, 1, 2}) == Writing::streamed);
  CHECK(chosen({1, 2, 9, 3, 1, 2, 9, 3}) == Writing::cached);
  CHECK(chosen({1, 3, 9, 9, 1, 9, 9, 2}) == Writing::streamed);  // the better of two sweeps counts
}

TEST_CASE("a sweep on trial gives what any sweep gives", "[jacobi3d]") {
  const Triple shape{3, 4, 10};
  jacobi3d::Grid grid(shape);
  const std::vector<double> ones(40, 1.0);
  Sweep sweep{shape, grid.now(), grid.next(), {}, {}};
  sweep.in.fill(ones.data());
  WritingTrial trial;
  for (int i = 0; i < 10; ++i) CHECK(jacobi3d::sweep(sweep, trial) == 0.5);
  CHECK(trial.is_over());
}

TEST_CASE("the two grids of a block are aligned and do not alias", "[jacobi3d]") {
  jacobi3d::Grid grid({16, 16, 16});  // 32 KiB each, a multiple of 4 KiB
  const auto now = reinterpret_cast<std::uintptr_t>(grid.now()), next = reinterpret_cast<std::uintptr_t>(grid.next());
  CHECK(now % 64 == 0);
  CHECK(next % 64 == 0);
  CHECK(next % 4096 != now % 4096);
}

TEST_CASE("a compensated sum keeps what plain addition loses", "[jacobi3d]") {
  jacobi3d::CompensatedSum sum;
  for (const double number : {1.0, 1e100, 1.0, -1e100}) sum.add(number);
  CHECK(sum.value() == 2.0);
}

TEST_CASE("compensated sums add up without losing what each lost", "[jacobi3d]") {
  jacobi3d::CompensatedSum left, right;
  left.add(1e100);
  left.add(1.0);
  right.add(-1e100);
  right.add(1.0);
  left.add(right);
  CHECK(left.value() == 2.0);
}
