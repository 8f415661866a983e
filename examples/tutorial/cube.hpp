// SPDX-License-Identifier: Apache-2.0
// Of steps 5, 6 and 8 of docs/tutorial.md: what a block of a cooling cube computes. Nothing of Kaon is in here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

using Triple = std::array<int, 3>;
constexpr int kFaces = 6;  // 0 and 1: low and high x; 2 and 3: y; 4 and 5: z
constexpr int opposite(int face) { return face ^ 1; }

/// A cube of `blocks` blocks along each axis, each of `cells` cells along each axis; just outside it is 0.
struct Cube {
  int blocks = 2, cells = 16;

  bool has(Triple block) const {
    return std::ranges::all_of(block, [this](int at) { return at >= 0 && at < blocks; });
  }
  /// The block on the other side of a face.
  static Triple beyond(Triple block, int face) {
    block[static_cast<std::size_t>(face / 2)] += face % 2 == 0 ? -1 : 1;
    return block;
  }
  int neighbours(Triple block) const {
    int count = 0;
    for (int face = 0; face < kFaces; ++face) count += has(beyond(block, face)) ? 1 : 0;
    return count;
  }
  /// A half wave along each axis, after so many steps: each makes it smaller by one factor, which is exact.
  double exact(Triple block, int x, int y, int z, int steps) const {
    const double unit = std::numbers::pi / (blocks * cells + 1);
    const auto wave = [&](std::size_t axis, int at) { return std::sin(unit * (block[axis] * cells + at)); };
    return wave(0, x) * wave(1, y) * wave(2, z) * std::pow(std::cos(unit), steps);
  }
};

/// The cells of a block, 1 ... cells along each axis, within a layer of what is beyond its faces.
struct Cells {
  int cells = 0;
  std::vector<double> now, next;

  Cells() = default;
  Cells(const Cube& cube, Triple block) : cells(cube.cells), now(volume()), next(volume()) {
    visit([&](int x, int y, int z) { now[at(x, y, z)] = cube.exact(block, x, y, z, 0); });
  }

  std::vector<double> face(int face) const {
    std::vector<double> plane;
    visit_face(face, face % 2 == 0 ? 1 : cells, [&](std::size_t i) { plane.push_back(now[i]); });
    return plane;
  }
  template <class Plane>
  void set_beyond(int face, const Plane& plane) {
    auto value = plane.begin();
    visit_face(face, face % 2 == 0 ? 0 : cells + 1, [&](std::size_t i) { now[i] = *value++; });
  }
  void relax() {
    const std::size_t row = at(0, 1, 0), plane = at(1, 0, 0);
    visit([&](int x, int y, int z) {
      const std::size_t i = at(x, y, z);
      next[i] = (now[i - plane] + now[i + plane] + now[i - row] + now[i + row] + now[i - 1] + now[i + 1]) / 6;
    });
    std::swap(now, next);
  }
  double error(const Cube& cube, Triple block, int steps) const {
    double error = 0;
    visit([&](int x, int y, int z) {
      error = std::max(error, std::abs(now[at(x, y, z)] - cube.exact(block, x, y, z, steps)));
    });
    return error;
  }

 private:
  std::size_t at(int x, int y, int z) const {
    const int edge = cells + 2;
    return static_cast<std::size_t>((x * edge + y) * edge + z);
  }
  std::size_t volume() const { return at(cells + 2, 0, 0); }
  template <class Function>
  void visit(Function function) const {
    for (int x = 1; x <= cells; ++x)
      for (int y = 1; y <= cells; ++y)
        for (int z = 1; z <= cells; ++z) function(x, y, z);
  }
  template <class Function>
  void visit_face(int face, int layer, Function function) const {
    for (int a = 1; a <= cells; ++a)
      for (int b = 1; b <= cells; ++b)
        function(face / 2 == 0 ? at(layer, a, b) : face / 2 == 1 ? at(a, layer, b) : at(a, b, layer));
  }
};
