// SPDX-License-Identifier: Apache-2.0
// What the points of a block are to the algorithm, in whichever memory they lie.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/jacobi3d/support/geometry.hpp"
#include "examples/jacobi3d/support/options.hpp"
#include "examples/jacobi3d/support/summary.hpp"

namespace jacobi3d {

// Planes of values just inside or just outside the faces of a block, by face; empty where the cube ends.
using Planes = std::array<kaon::Payload<double>, kFaces.size()>;

// The points of one block: 0 at first, with the cube's boundary of 1 around.
class Points {
 public:
  virtual ~Points() = default;

  // A step: from the planes outside, which are empty before the first one, to the new planes inside. The neighbors'
  // planes are read where they arrived, and the new ones are written into the memory that is sent.
  virtual Planes relax(Planes outside) = 0;
  // Whether the kernels of all blocks of this PE that are ready together share a launch.
  virtual bool shares_launches() const { return false; }
  // A device works behind the host: waits until it is at most two of these calls behind.
  virtual kaon::Task<> keep_pace() = 0;

  virtual kaon::Task<double> change() = 0;  // the largest of any point in the last step
  virtual kaon::Task<CompensatedSum> sum() = 0;
  virtual kaon::Task<std::vector<double>> slice(int x) = 0;  // the plane of all y and z at the block's own x

  // When block `to` had best look at its planes for this step, among those of its PE: a priority, smallest first.
  virtual int turn(const Triple& to, int step) const = 0;
};

// In the memory of the host, or of the PE's device.
std::unique_ptr<Points> make_points(const Options& options, const Triple& block, bool is_on_device);

}  // namespace jacobi3d
