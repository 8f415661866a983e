// SPDX-License-Identifier: Apache-2.0
// The sweep over one block. It knows nothing of who holds the neighbors or how planes travel.
#pragma once

#include <array>
#include <vector>

#include "examples/jacobi3d/geometry.hpp"

namespace kaon::jacobi3d {

// Values just outside a block, face by face: what a neighbor sent, or the boundary.
using IncomingPlanes = std::array<const double*, 6>;
// Where the new values of the outermost points go; null where nobody wants them.
using OutgoingPlanes = std::array<double*, 6>;

struct Sweep {
  Triple shape;
  const double* now;
  double* next;
  IncomingPlanes in;
  OutgoingPlanes out;
};

// Computes every point of `next` and the outgoing planes. Returns the largest |next - now|.
double sweep(const Sweep& block);

// The same for the planes first_x..last_x-1 only; a whole sweep is any cover by such ranges.
double sweep(const Sweep& block, int first_x, int last_x);

using SweepFunction = double (*)(const Sweep& block, int first_x, int last_x);

// The versions that this processor can run, each for another width of vector, the fastest first: it
// is the one that sweep() takes. All give the same digits.
std::vector<SweepFunction> runnable_sweeps();

}  // namespace kaon::jacobi3d
