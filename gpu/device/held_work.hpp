// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu {

struct Block;

/// Kernels of one type that a stream holds back, to be launched together.
class HeldLaunch {
 public:
  virtual ~HeldLaunch() = default;
  /// An address for each type of kernel.
  virtual const void* type() const = 0;
  virtual unsigned count() const = 0;
  /// Gives all of them to the device; there are none from then on, also when this throws.
  virtual void launch(NativeStream stream) = 0;
};

/// A flag that a stream raises to a value when its work is done.
struct RaisedFlag {
  std::uint32_t* word;
  std::uint32_t value;
};

/// The work that a stream holds back, and everything that must wait until its device has been given it.
struct HeldWork {
  std::vector<std::unique_ptr<HeldLaunch>> launches;  // one for each type of kernel that it has ever held back
  HeldLaunch* current = nullptr;                      // of them, the one that is not empty
  Block* freed = nullptr;          // memory that came back meanwhile, which the kernels may use; linked by `next`
  bool is_for_others = false;      // another PE of the process may wait for them
  std::vector<RaisedFlag> raised;  // behind them
  std::uint64_t launched = 0;      // the position behind those that were launched last
};

}  // namespace kaon::gpu
