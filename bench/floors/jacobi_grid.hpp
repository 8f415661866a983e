// SPDX-License-Identifier: Apache-2.0
// The two arrays that every OpenMP floor of jacobi3d sweeps over: points with a ghost layer around.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "examples/jacobi3d/host/memory.hpp"

namespace kaon::bench {

/// x planes by y rows, whole rows along z; dealt to the threads in one fixed order.
struct Tiling {
  int x, y;
};

/// A cube of points with one ghost beyond each face. Each row begins on a cache line.
class JacobiGrid {
 public:
  /// `shift` doubles keep two arrays from lying at one place in their pages: a store to one would seem to the processor
  /// to overlap loads from the other.
  JacobiGrid(int points, std::ptrdiff_t shift)
      : cells(points),
        pitch((cells + 2 + 7) / kLineDoubles * kLineDoubles + kLineDoubles),
        memory_(jacobi3d::allocate_doubles(static_cast<std::size_t>(doubles() + shift)), std::free),
        first_(memory_.get() + shift + kLineDoubles) {}

  /// The row's points lie at 0..cells-1, its ghosts at -1 and cells. Inlined everywhere: a kernel in wide vectors that
  /// calls a function in narrow ones pays for it at each row.
  [[gnu::always_inline]] double* row(int i, int j) const {
    return first_ + ((i + 1) * std::ptrdiff_t{cells + 2} + (j + 1)) * pitch;
  }

  int cells;
  std::ptrdiff_t pitch;  ///< doubles from a row to the next

 private:
  static constexpr std::ptrdiff_t kLineDoubles = 8;  // 64 bytes

  std::ptrdiff_t doubles() const { return (cells + 2) * std::ptrdiff_t{cells + 2} * pitch + kLineDoubles; }

  std::unique_ptr<double[], void (*)(void*)> memory_;
  double* first_;
};

/// Half a page and an odd line, in doubles.
inline constexpr std::ptrdiff_t kHalfPage = std::ptrdiff_t{33} * 8;

}  // namespace kaon::bench
