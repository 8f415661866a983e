// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "examples/adaptive/field.hpp"
#include "examples/adaptive/tree.hpp"
#include "examples/support/picture.hpp"

namespace adaptive {

/// Draws the values in the square, with a line around each block.
inline void draw(const std::string& path, const Problem& problem, const std::map<Node, Field>& blocks,
                 const Field& whole) {
  constexpr int kPixels = 2;  // of a finest cell
  const int side = kPixels * whole.count();
  std::vector<double> pixels;
  for (int row = 0; row < side; ++row)
    for (int x = 0; x < side; ++x)
      pixels.push_back(std::min(1.0, 0.1 + 0.9 * whole.at(x / kPixels, whole.count() - 1 - row / kPixels)));
  const auto line = [&](int x, int y) { pixels[static_cast<std::size_t>((side - 1 - y) * side + x)] += 0.25; };
  for (const auto& [node, block] : blocks) {
    const int size = kPixels * problem.cells << (problem.finest - node.level);
    for (int i = 0; i < size; ++i) line(node.x * size + i, node.y * size);
    for (int i = 1; i < size; ++i) line(node.x * size, node.y * size + i);
  }
  examples::Picture picture(side, side);
  picture.place(0, 0, side, pixels);
  picture.write(path);
}

}  // namespace adaptive
