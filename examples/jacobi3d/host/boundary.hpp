// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace jacobi3d {

// A plane of at least `points` ones, the fixed value at the faces of the cube. One for each thread, so
// that it stays in the caches; valid until the thread asks for a larger one.
const double* boundary_plane(std::size_t points);

}  // namespace jacobi3d
