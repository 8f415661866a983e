// SPDX-License-Identifier: Apache-2.0
// Untouched memory for many doubles, shared with the floors in bench/ so that both use the same pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace jacobi3d {

// On a cache line; from a size of several huge pages on, on a huge page, which spares page walks in
// a sweep that uses three planes at once. Release with std::free. Throws std::bad_alloc.
inline double* allocate_doubles(std::size_t count) {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const std::size_t bytes = count * sizeof(double);
  const bool is_large = bytes >= kHugePage;
  const std::size_t unit = is_large ? kHugePage : kLine;
  const std::size_t padded = (bytes + unit - 1) / unit * unit;
  void* const memory = std::aligned_alloc(unit, padded);
  if (memory == nullptr) throw std::bad_alloc();
  if (is_large) madvise(memory, padded, MADV_HUGEPAGE);  // advice: nothing is lost when refused
  return static_cast<double*>(memory);
}

}  // namespace jacobi3d
