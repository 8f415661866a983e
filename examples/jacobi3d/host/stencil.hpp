// SPDX-License-Identifier: Apache-2.0
// The sweep over one block. It knows nothing of who holds the neighbors or how planes travel.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "examples/jacobi3d/support/geometry.hpp"

namespace jacobi3d {

// Values just outside a block, face by face: what a neighbor sent, or the boundary.
using IncomingPlanes = std::array<const double*, 6>;
// Where the new values of the outermost points go; null where nobody wants them.
using OutgoingPlanes = std::array<double*, 6>;

// How new values get to memory: through the caches, or past them, which spares reading each line before it is written
// and is the faster way when the values would not stay in the caches until they are read.
enum class Writing { cached, streamed };

struct Sweep {
  Triple shape;
  const double* now;
  double* next;
  IncomingPlanes in;
  OutgoingPlanes out;
  Writing writing = Writing::cached;
};

// Computes every point of `next` and the outgoing planes. Returns the largest |next - now|.
double sweep(const Sweep& block);

// The same for the planes first_x..last_x-1 only; a whole sweep is any cover by such ranges.
double sweep(const Sweep& block, int first_x, int last_x);

// Which way of writing is the faster one for a block, found by its first sweeps: nobody knows beforehand how much of
// the caches is left to it, and what processors say of their own caches is not always so in a virtual machine.
class WritingTrial {
 public:
  Writing next() const;
  // By the sweep that did what next() said.
  void took(double seconds);
  bool is_over() const { return sweeps_ == kSweeps; }

 private:
  static constexpr int kSweeps = 8;
  int sweeps_ = 0;
  std::array<double, 2> best_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

// A whole sweep, in the way that the trial says.
double sweep(const Sweep& block, WritingTrial& trial);

using SweepFunction = double (*)(const Sweep& block, int first_x, int last_x);

struct SweepVersion {
  const char* instructions;
  SweepFunction sweep;
};

// The versions that this processor can run, each for another width of vector, the fastest first: it
// is the one that sweep() takes. All give the same digits.
std::vector<SweepVersion> runnable_sweeps();

}  // namespace jacobi3d
