// SPDX-License-Identifier: Apache-2.0
// Kernels of step 8 of docs/tutorial.md. A block has cells 1 ... n along each axis, within a layer of what is beyond.
#pragma once
#include <cstddef>

#include <kaon/kernel.hpp>

/// Where cells lie in memory.
struct Layout {
  std::size_t n;
  KAON_DEVICE std::size_t row() const { return n + 2; }
  KAON_DEVICE std::size_t plane() const { return (n + 2) * (n + 2); }
  /// Number i of the n * n * n cells.
  KAON_DEVICE std::size_t cell(std::size_t i) const {
    return (i / (n * n) + 1) * plane() + (i / n % n + 1) * row() + i % n + 1;
  }
  /// Number i of the n * n cells of a layer across the axis of a face.
  KAON_DEVICE std::size_t of_layer(int face, std::size_t layer, std::size_t i) const {
    const std::size_t a = i / n + 1, b = i % n + 1;
    if (face / 2 == 0) return layer * plane() + a * row() + b;
    if (face / 2 == 1) return a * plane() + layer * row() + b;
    return a * plane() + b * row() + layer;
  }
};

struct PackFace {
  Layout layout;
  const double* cells;
  int face;
  double* to;
  KAON_DEVICE void operator()(std::size_t i) const {
    to[i] = cells[layout.of_layer(face, face % 2 == 0 ? 1 : layout.n, i)];
  }
};
KAON_KERNEL(PackFace);

struct UnpackFace {
  Layout layout;
  double* cells;
  int face;
  const double* from;
  KAON_DEVICE void operator()(std::size_t i) const {
    cells[layout.of_layer(face, face % 2 == 0 ? 0 : layout.n + 1, i)] = from[i];
  }
};
KAON_KERNEL(UnpackFace);

struct Relax {
  Layout layout;
  const double* now;
  double* next;
  KAON_DEVICE void operator()(std::size_t i) const {
    const double* at = now + layout.cell(i);
    const std::size_t row = layout.row(), plane = layout.plane();
    next[layout.cell(i)] = (*(at - plane) + at[plane] + *(at - row) + at[row] + *(at - 1) + at[1]) / 6;
  }
};
KAON_KERNEL(Relax);
