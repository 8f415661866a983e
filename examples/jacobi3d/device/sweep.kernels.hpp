// SPDX-License-Identifier: Apache-2.0
// The sweep over one block in the memory of a device, and what else its values need there.
#pragma once

#include <cstddef>

#include "examples/jacobi3d/support/geometry.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace jacobi3d {

// A shape for kernels, whose compilers do not let them index a std::array.
struct Extents {
  int x = 0, y = 0, z = 0;
};
constexpr Extents extents_of(const Triple& shape) { return {shape[0], shape[1], shape[2]}; }

// The values just outside a face: a plane as a neighbor's sweep left it, or one value everywhere.
struct Beyond {
  const double* plane = nullptr;
  double value = 1.0;  // without a plane: the boundary; a neighbor that has not begun has 0
};

// Computes the x planes first_x ... last_x - 1 of `next`, and the outgoing planes as far as they lie there. Pointers
// reach the device that runs it. The digits are those of sweep() in stencil.hpp. Fastest when z is even and all
// pointers are multiples of 16 bytes.
struct SweepKernel {
  // Memory keeps up best with many threads of few registers.
  static constexpr unsigned kMostThreads = 256, kBlocksAtOnce = 4;
  static constexpr bool kIsGathered = true;

  Extents shape;
  int first_x = 0, last_x = 0;
  const double* now = nullptr;
  double* next = nullptr;    // overlaps nothing that is read
  Beyond in[6];              // by Face
  double* out[6] = {};       // by Face; nullptr: nobody wants it
  double* change = nullptr;  // raised to the largest |next - now|; whoever launches sets it to 0 or more before

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

// Threads for a SweepKernel over so many points: at.x walks along z, at.y along y, and each block along part of x.
// `together`: so many of these run at a time.
kaon::gpu::Grid sweep_grid(const Triple& shape, int together = 1);

struct FillKernel {
  double* values = nullptr;
  std::size_t count = 0;
  double value = 0;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

// A plane of points inside an array: rows * columns of them, with so many doubles from one to the next.
template <class Number>
struct StridedPlane {
  Number* first = nullptr;
  std::ptrdiff_t row_step = 0, column_step = 0;
};

// The outermost points of a dense block at a face, rows and columns as in the planes that SweepKernel leaves.
template <class Number>
constexpr StridedPlane<Number> plane_at(Number* values, const Triple& shape, Face face) {
  const std::ptrdiff_t steps[] = {std::ptrdiff_t{shape[1]} * shape[2], shape[2], 1};
  const std::size_t along = axis(face);
  Number* const first = number(face) % 2 == 0 ? values : values + (shape[along] - 1) * steps[along];
  return {first, steps[along == 0 ? 1 : 0], steps[along == 2 ? 1 : 2]};
}
// Its rows and columns.
constexpr int plane_rows(const Triple& shape, Face face) { return shape[axis(face) == 0 ? 1 : 0]; }
constexpr int plane_columns(const Triple& shape, Face face) { return shape[axis(face) == 2 ? 1 : 2]; }

// A plane of an array to a dense one: for programs that send planes by a step of their own.
struct PackKernel {
  StridedPlane<const double> from;
  double* to = nullptr;
  int rows = 0, columns = 0;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

// And back, as into the ghost layer of an array that has one.
struct UnpackKernel {
  const double* from = nullptr;
  StridedPlane<double> to;
  int rows = 0, columns = 0;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

// For FillKernel, PackKernel and UnpackKernel over so many points.
kaon::gpu::Grid flat_grid(std::size_t points);

}  // namespace jacobi3d
