// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <type_traits>

#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// One of the kernels of a gathered launch: its arguments, its own grid, and where its blocks begin among those of all.
template <class Kernel>
struct GatheredKernel {
  Kernel kernel;
  Extent blocks;
  unsigned first_block;
};

/// The arguments of several kernels of one type, launched as one whose blocks stand in a row: `kBytes` at most, as they
/// travel with the launch. What holds few is the beginning of what holds many.
template <class Kernel, std::size_t kBytes>
struct GatheredArguments {
  static constexpr std::size_t kHead = 16;
  static constexpr std::size_t kFitting = (kBytes - kHead) / sizeof(GatheredKernel<Kernel>);
  static constexpr unsigned kMost = kFitting > 0 ? static_cast<unsigned>(kFitting) : 1;

  alignas(kHead) unsigned count;
  unsigned blocks_of_each;  // 0: they differ
  GatheredKernel<Kernel> kernels[kMost];

  /// Which of the kernels this block among all belongs to.
  KAON_DEVICE unsigned find(unsigned block) const {
    if (blocks_of_each != 0) return block / blocks_of_each;
    unsigned low = 0;
    for (unsigned high = count; high - low > 1;) {
      const unsigned middle = (low + high) / 2;
      (kernels[middle].first_block <= block ? low : high) = middle;
    }
    return low;
  }
};

// Every device takes few. With many, what their launch costs no longer matters.
inline constexpr std::size_t kFewArguments = 4096, kManyArguments = kVendor == Backend::hip ? 4096 : 16384;
template <class Kernel>
using FewGathered = GatheredArguments<Kernel, kFewArguments>;
template <class Kernel>
using ManyGathered = GatheredArguments<Kernel, kManyArguments>;

/// The context of one of the kernels, with its own grid.
template <class Context>
class GatheredContext : public Context {
 public:
  /// `number`: of this block among those of its kernel.
  KAON_DEVICE GatheredContext(const Extent& blocks, unsigned number)
      : blocks_(blocks), block_(number % blocks.x, number / blocks.x % blocks.y, number / blocks.x / blocks.y) {}

  KAON_DEVICE std::size_t index() const {
    const Extent& threads = this->threads();
    return blocks_.number(block_) * threads.volume() + threads.number(this->thread());
  }
  KAON_DEVICE std::size_t stride() const { return blocks_.volume() * this->threads().volume(); }
  KAON_DEVICE Extent block() const { return block_; }
  KAON_DEVICE Extent blocks() const { return blocks_; }

 private:
  Extent blocks_, block_;
};

/// Same as HostKernel and VendorKernel, for kernels that say kIsGathered. `block`: size and shared memory of a block.
template <class Kernel, bool = is_gathered<Kernel>()>
struct HostGathered {};
template <class Kernel>
struct HostGathered<Kernel, true> {
  static void launch(NativeStream stream, const Grid& block, const ManyGathered<Kernel>& kernels);
};
template <class Kernel, bool = is_gathered<Kernel>()>
struct VendorGathered {};
template <class Kernel>
struct VendorGathered<Kernel, true> {
  static void launch(NativeStream stream, const Grid& block, const ManyGathered<Kernel>& kernels);
  static const KernelRecord few, many;
};

template <class Kernel>
void launch_gathered(Backend backend, NativeStream stream, const Grid& block, const ManyGathered<Kernel>& kernels) {
  if (kHasVendor && backend != Backend::host) {
    if constexpr (kHasVendor) VendorGathered<Kernel>::launch(stream, block, kernels);
  } else {
    HostGathered<Kernel>::launch(stream, block, kernels);
  }
}

}  // namespace kaon::gpu
