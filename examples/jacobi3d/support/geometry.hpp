// SPDX-License-Identifier: Apache-2.0
// A cube of cells cut into equal blocks: which blocks touch, and through which faces.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace jacobi3d {

using Triple = std::array<int, 3>;  // x, y, z; z is contiguous in memory

// The low face of axis a is 2a, the high one 2a + 1.
enum class Face : std::uint8_t { x_low, x_high, y_low, y_high, z_low, z_high };

inline constexpr std::array<Face, 6> kFaces{Face::x_low,  Face::x_high, Face::y_low,
                                            Face::y_high, Face::z_low,  Face::z_high};

constexpr std::size_t number(Face face) { return static_cast<std::size_t>(face); }
constexpr std::size_t axis(Face face) { return number(face) / 2; }
constexpr Face opposite(Face face) { return static_cast<Face>(number(face) ^ 1U); }

// The block that touches `block` at this face; outside the cube at its boundary.
constexpr Triple neighbor(Triple block, Face face) {
  block[axis(face)] += number(face) % 2 == 0 ? -1 : 1;
  return block;
}

constexpr std::size_t volume(const Triple& shape) {
  return static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]) * static_cast<std::size_t>(shape[2]);
}

// Points of the plane at this face of a block: rows along y and z, x and z, or x and y.
constexpr std::size_t plane_size(const Triple& shape, Face face) {
  return volume(shape) / static_cast<std::size_t>(shape[axis(face)]);
}

constexpr std::size_t largest_plane(const Triple& shape) {
  std::size_t largest = 0;
  for (const Face face : kFaces) largest = std::max(largest, plane_size(shape, face));
  return largest;
}

// A box of points in blocks of equal shape. Made by decompose() only from what makes sense.
struct Decomposition {
  Triple cells{};   // interior points along each axis
  Triple blocks{};  // blocks along each axis

  Triple block_shape() const { return {cells[0] / blocks[0], cells[1] / blocks[1], cells[2] / blocks[2]}; }
  // The first point of a block, in the cube.
  Triple origin(const Triple& block) const;
  bool contains(const Triple& block) const;
};

// Throws kaon::UsageError with a sentence that says what is wrong and what to give instead;
// `memory_bytes` is what the points, old and new values, must fit into.
Decomposition decompose(const std::array<std::int64_t, 3>& cells, const std::array<std::int64_t, 3>& blocks,
                        std::size_t memory_bytes);

// Up to four blocks along each axis, as many as divide the cells.
std::array<std::int64_t, 3> default_blocks(const std::array<std::int64_t, 3>& cells);

}  // namespace jacobi3d
