// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

namespace jacobi3d {

class Block;

// The blocks of a PE whose kernels share launches take each step together: none begins a step before all of them have
// given the device the step before. Else a block that is ahead reads what a kernel of the list that is being gathered
// will write, so that the list is launched while it is short; blocks then drift further apart, and lists stay short.
class Lockstep : public kaon::Chare<Lockstep> {
 public:
  // A block of this PE takes part in all steps to come.
  void join(kaon::Element<Block> block) { members_.push_back(std::move(block)); }
  // One of them has given its step: behind the last one all of them may begin the next.
  void note_given(int step);

 private:
  std::vector<kaon::Element<Block>> members_;
  std::size_t given_ = 0;  // of the step under way
};

// That a block may begin this step.
struct Turn {
  int step;
};

}  // namespace jacobi3d
