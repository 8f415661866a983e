// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include "examples/jacobi3d/support/geometry.hpp"

namespace jacobi3d {

// The old and the new values of one block: exactly its points, no ghost layer. Both begin on a
// cache line, and their distance is no multiple of 4 KiB, else a store to the new values would seem
// to the processor to overlap the loads around it.
class Grid {
 public:
  Grid() = default;
  // All values 0; the calling thread touches the memory first and so places it near itself.
  explicit Grid(const Triple& shape);

  const Triple& shape() const { return shape_; }
  const double* now() const { return now_; }
  double* next() { return next_; }
  std::span<const double> values() const { return {now_, volume(shape_)}; }
  // The plane of all y and z at this x.
  std::span<const double> slice(int x) const;
  void flip() { std::swap(now_, next_); }  // after a sweep: new values become old ones

 private:
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };

  Triple shape_{};
  std::unique_ptr<double[], Free> memory_;
  double* now_ = nullptr;
  double* next_ = nullptr;
};

}  // namespace jacobi3d
