// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "examples/jacobi3d/device/sixth.hpp"
#include "examples/jacobi3d/device/sweep.kernels.hpp"
#include "examples/jacobi3d/device/sweep_march.hpp"
#include "examples/jacobi3d/host/stencil.hpp"
#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/kernel.hpp"
#include "tests/support/catch.hpp"

namespace {

namespace gpu = kaon::gpu;
using namespace jacobi3d;

// The emulation without threads: a kernel runs when the stream is asked to go on.
class Device {
 public:
  template <class Kernel>
  void run(const gpu::Grid& grid, const Kernel& kernel) {
    gpu::launch(gpu::Backend::host, stream_, grid, kernel);
    driver_->record(end_, stream_);
    while (!driver_->is_reached(end_)) driver_->advance();
  }
  ~Device() {
    driver_->destroy_event(end_);
    driver_->destroy(stream_);
  }

 private:
  static gpu::HostSettings settings() {
    gpu::HostSettings settings;
    settings.seed = 1;
    return settings;
  }
  std::unique_ptr<gpu::Driver> driver_ = gpu::make_host_driver(settings());
  gpu::NativeStream stream_ = driver_->make_stream(0);
  gpu::NativeEvent end_ = driver_->make_event(0);
};

// Aligned as devices allocate.
struct Free {
  void operator()(double* memory) const { ::operator delete[](memory, std::align_val_t{256}); }
};
using Memory = std::unique_ptr<double[], Free>;
Memory allocate(std::size_t count) {
  return Memory(static_cast<double*>(::operator new[](count * sizeof(double), std::align_val_t{256})));
}

// One block with random values, in it and beyond its faces, and what a sweep makes of them.
struct Case {
  explicit Case(const Triple& its_shape)
      : shape(its_shape), now(allocate(volume(shape))), next(allocate(volume(shape))) {
    fill(now.get(), volume(shape));
    for (const Face face : kFaces) {
      in[number(face)] = allocate(plane_size(shape, face));
      out[number(face)] = allocate(plane_size(shape, face));
      fill(in[number(face)].get(), plane_size(shape, face));
    }
  }
  void fill(double* values, std::size_t count) {
    std::uniform_real_distribution<double> between(-1, 1);
    for (std::size_t i = 0; i < count; ++i) values[i] = between(random);
  }
  SweepKernel kernel() {
    SweepKernel sweep;
    sweep.shape = extents_of(shape);
    sweep.last_x = shape[0];
    sweep.now = now.get(), sweep.next = next.get(), sweep.change = &change;
    for (std::size_t f = 0; f < kFaces.size(); ++f) sweep.in[f].plane = in[f].get(), sweep.out[f] = out[f].get();
    return sweep;
  }

  std::mt19937_64 random{7};
  Triple shape;
  Memory now, next;
  std::array<Memory, 6> in, out;
  double change = 0;
};

bool are_equal(const double* left, const double* right, std::size_t count) {
  return std::memcmp(left, right, count * sizeof(double)) == 0;
}

// What the kernel did, against the processor's sweep over the same values.
void check(Case& made, const SweepKernel& kernel) {
  Case expected(made.shape);
  Sweep sweep{made.shape, made.now.get(), expected.next.get(), {}, {}};
  std::array<std::vector<double>, 6> beyond;
  for (std::size_t f = 0; f < kFaces.size(); ++f) {
    beyond[f].assign(plane_size(made.shape, kFaces[f]), kernel.in[f].value);
    sweep.in[f] = kernel.in[f].plane != nullptr ? kernel.in[f].plane : beyond[f].data();
    sweep.out[f] = expected.out[f].get();
  }
  CHECK(jacobi3d::sweep(sweep) == made.change);
  CHECK(are_equal(made.next.get(), expected.next.get(), volume(made.shape)));
  for (std::size_t f = 0; f < kFaces.size(); ++f) {
    CAPTURE(f);
    if (kernel.out[f] != nullptr)
      CHECK(are_equal(kernel.out[f], expected.out[f].get(), plane_size(made.shape, kFaces[f])));
  }
}

// One thread of a grid as devices have it: many threads in a block.
struct ThreadOfGrid {
  gpu::Grid grid;
  gpu::Extent own_block, own_thread;

  gpu::Extent block() const { return own_block; }
  gpu::Extent blocks() const { return grid.blocks; }
  gpu::Extent thread() const { return own_thread; }
  gpu::Extent threads() const { return grid.threads; }
};

template <class Visit>
void for_each(const gpu::Extent& extent, Visit visit) {
  for (unsigned z = 0; z < extent.z; ++z)
    for (unsigned y = 0; y < extent.y; ++y)
      for (unsigned x = 0; x < extent.x; ++x) visit(gpu::Extent{x, y, z});
}

// All threads of the grid one after the other.
template <int Width, int Rows>
void march_all(const SweepKernel& kernel, const gpu::Grid& grid) {
  for_each(grid.blocks, [&](const gpu::Extent& block) {
    for_each(grid.threads, [&](const gpu::Extent& thread) {
      const ThreadOfGrid at{grid, block, thread};
      *kernel.change = std::max(*kernel.change, Share<Width, Rows, ThreadOfGrid>(kernel, at).run(at));
    });
  });
}

const std::vector<Triple> kShapes{{1, 1, 1},  {1, 1, 2},  {1, 5, 4},    {7, 5, 9},    {8, 1, 6},
                                  {2, 3, 70}, {3, 33, 6}, {33, 40, 66}, {64, 64, 64}, {5, 37, 133}};

}  // namespace

TEST_CASE("the kernel's sweep equals the processor's in every bit", "[jacobi3d]") {
  Device device;
  for (const Triple& shape : kShapes) {
    CAPTURE(shape);
    Case block(shape);
    const SweepKernel kernel = block.kernel();
    device.run(sweep_grid(shape), kernel);
    check(block, kernel);
  }
}

TEST_CASE("blocks of many threads sweep each point once", "[jacobi3d]") {
  for (const Triple& shape : {Triple{7, 5, 10}, {9, 34, 132}, {3, 70, 66}, {20, 16, 64}, {1, 2, 2}, {6, 50, 190}}) {
    for (const gpu::Extent& threads : {gpu::Extent{32, 8, 1}, {32, 4, 1}, {8, 3, 2}, {64, 4, 1}}) {
      CAPTURE(shape, threads.x, threads.y, threads.z);
      gpu::Grid grid = sweep_grid(shape);
      grid.threads = threads;
      Case pairs(shape), squares(shape), single(shape);
      march_all<2, 1>(pairs.kernel(), grid);
      check(pairs, pairs.kernel());
      march_all<2, 2>(squares.kernel(), grid);
      check(squares, squares.kernel());
      march_all<1, 1>(single.kernel(), grid);
      check(single, single.kernel());
    }
  }
}

TEST_CASE("any grid sweeps each point once", "[jacobi3d]") {
  Device device;
  const Triple shape{9, 11, 14};
  for (const gpu::Extent& blocks : {gpu::Extent{1, 1, 1}, {2, 3, 4}, {7, 1, 20}, {1, 20, 1}, {9, 2, 9}}) {
    CAPTURE(blocks.x, blocks.y, blocks.z);
    Case block(shape);
    const SweepKernel kernel = block.kernel();
    device.run({blocks, {32, 4, 1}}, kernel);
    check(block, kernel);
  }
}

TEST_CASE("a sweep's blocks have as many threads as it is compiled for, and no more", "[jacobi3d]") {
  Device device;
  Case block({3, 4, 6});
  for (const Triple& shape : kShapes) CHECK(sweep_grid(shape).threads.volume() == SweepKernel::kMostThreads);
  gpu::Grid grid = sweep_grid(block.shape);
  ++grid.threads.y;
  CHECK_THROWS_AS(device.run(grid, block.kernel()), gpu::GpuError);
}

TEST_CASE("a grid is cut so that few threads are idle", "[jacobi3d]") {
  for (const Triple& shape : {Triple{128, 128, 128}, {64, 64, 64}, {256, 256, 256}, {100, 100, 192}}) {
    CAPTURE(shape);
    const gpu::Grid grid = sweep_grid(shape);
    CHECK(grid.blocks.x * grid.threads.x * 2 == static_cast<unsigned>(shape[2]));
    CHECK(grid.blocks.y * grid.threads.y < static_cast<unsigned>(shape[1]) + grid.threads.y);
  }
  CHECK(sweep_grid({128, 128, 128}).blocks.volume() == 512);  // at once on a device that holds 528
}

TEST_CASE("a face without a plane has one value everywhere", "[jacobi3d]") {
  Device device;
  for (const Triple& shape : {Triple{6, 7, 8}, Triple{4, 3, 5}}) {
    for (std::size_t face = 0; face < kFaces.size(); ++face) {
      CAPTURE(shape, face);
      Case block(shape);
      SweepKernel kernel = block.kernel();
      kernel.in[face] = {nullptr, face % 2 == 0 ? 1.0 : 0.0};
      kernel.out[face] = nullptr;
      device.run(sweep_grid(shape), kernel);
      check(block, kernel);
    }
  }
}

TEST_CASE("planes that are not aligned are swept point by point", "[jacobi3d]") {
  Device device;
  Case block({4, 6, 8});
  const Memory shifted = allocate(plane_size(block.shape, Face::y_low) + 1);
  block.fill(shifted.get(), plane_size(block.shape, Face::y_low) + 1);
  SweepKernel kernel = block.kernel();
  kernel.in[number(Face::y_low)].plane = shifted.get() + 1;
  device.run(sweep_grid(block.shape), kernel);
  check(block, kernel);
}

TEST_CASE("ranges of x planes together are a whole sweep", "[jacobi3d]") {
  Device device;
  Case block({9, 4, 10});
  SweepKernel kernel = block.kernel();
  const int cuts[] = {0, 1, 4, 4, 8, 9};
  for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
    kernel.first_x = cuts[i], kernel.last_x = cuts[i + 1];
    device.run(sweep_grid(block.shape), kernel);
  }
  check(block, kernel);
}

TEST_CASE("planes are packed as the sweep leaves them, and unpacked to where they were", "[jacobi3d]") {
  Device device;
  Case block({3, 5, 7});
  const SweepKernel kernel = block.kernel();
  device.run(sweep_grid(block.shape), kernel);
  for (const Face face : kFaces) {
    CAPTURE(number(face));
    const std::size_t count = plane_size(block.shape, face);
    const int rows = plane_rows(block.shape, face), columns = plane_columns(block.shape, face);
    const Memory packed = allocate(count);
    const auto from = plane_at<const double>(block.next.get(), block.shape, face);
    device.run(flat_grid(count), PackKernel{from, packed.get(), rows, columns});
    CHECK(are_equal(packed.get(), kernel.out[number(face)], count));

    const Memory copy = allocate(volume(block.shape)), again = allocate(count);
    device.run(flat_grid(volume(block.shape)), FillKernel{copy.get(), volume(block.shape), -1.0});
    device.run(flat_grid(count), UnpackKernel{packed.get(), plane_at(copy.get(), block.shape, face), rows, columns});
    const auto back = plane_at<const double>(copy.get(), block.shape, face);
    device.run(flat_grid(count), PackKernel{back, again.get(), rows, columns});
    CHECK(are_equal(again.get(), packed.get(), count));
  }
}

TEST_CASE("a sixth by multiplication equals division in every bit", "[jacobi3d]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000'000; ++i) {
    const std::uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isnan(number)) continue;
    const double expected = number / 6.0, found = sixth(number);
    if (std::memcmp(&expected, &found, sizeof found) != 0) FAIL(number);
  }
}

TEST_CASE("a sixth of extreme numbers is right", "[jacobi3d]") {
  std::vector<double> numbers{0.0, -0.0, INFINITY, -INFINITY};
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    for (const double factor : {1.0, 1.0 + 0x1p-52, 1.5, 1.5 + 0x1p-52, 2.0 - 0x1p-52}) {
      numbers.push_back(std::ldexp(factor, exponent));
    }
  }
  for (const double number : numbers) {
    const double expected = number / 6.0, found = sixth(number);
    CAPTURE(number);
    CHECK(std::memcmp(&expected, &found, sizeof found) == 0);
  }
}
