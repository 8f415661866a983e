// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <typeinfo>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/kernels/grid.hpp"

/// A kernel is a struct of trivially copyable arguments with a call operator, in a header that every compiler reads:
///
///   struct Scale {
///     double* values;
///     double by;
///     KAON_DEVICE void operator()(std::size_t i) const { values[i] *= by; }
///   };
///   KAON_KERNEL(Scale);                       // outside of all namespaces
///
/// `kaon_kernels(program scale.kernels.hpp)` of CMake compiles it once for each back end of the build, and
/// `stream.for_each(count, Scale{values, 2})` runs it for each i below `count`.
///
/// One that wants more than its index takes a context instead (what that offers stands in kernel_body.hpp):
///
///     template <class Context>
///     KAON_DEVICE void operator()(Context& at) const {
///       double sum = 0;
///       for (std::size_t i = at.index(); i < count; i += at.stride()) sum += values[i];
///       sum = at.sum(sum);
///       if (at.is_first()) at.add_into(total, sum);
///     }
///
/// and is run on a grid, by `stream.launch(grid, Total{values, count, total})`. Written with steps over the whole grid
/// it is right for every grid, also for the one thread a block has in the emulation. A body may also stand in a source
/// of its own, `x.kernels.cpp`, with the line KAON_KERNEL(...) at its end and kernel_body.hpp included.
///
/// What a kernel may say of itself:
///   struct Shared { ... };                          memory of each block, uninitialised: the call operator gets it as
///   a
///                                                   second parameter, `Shared& shared`
///   static constexpr unsigned kMostThreads = 256;   of a block; this is the default
///   static constexpr unsigned kBlocksAtOnce = 1;    for how many such blocks the compiler shall leave registers on
///   each
///                                                   multiprocessor
///   static constexpr bool kNeedsThreads = true;     the threads of a block hand values to each other: the emulation
///                                                   then runs all of them
///   static constexpr bool kHasWarps = true;         warps of a block work by themselves: in the emulation it has a
///                                                   thread for each
///   static constexpr bool kIsCooperative = true;    all blocks run at once and may meet in at.sync_grid() and wait for
///                                                   flags; others must not wait for each other
///   static constexpr bool kStartsEarly = true;      it starts while what was given to the stream before it still runs,
///                                                   and calls at.wait_for_earlier() before it touches results of that
///   static constexpr bool kIsGathered = true;       stream.gather() may launch it together with others of its type
#define KAON_KERNEL(...) static_assert(true)

namespace kaon::gpu {

template <class Kernel>
constexpr bool says_gathered() {
  if constexpr (requires { Kernel::kIsGathered; }) return Kernel::kIsGathered;
  return false;
}

/// Runs `function(i)` for each i below `count`.
template <class Function>
struct ForEach {
  static constexpr bool kIsGathered = says_gathered<Function>();
  std::size_t count;
  Function function;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    for (std::size_t i = at.index(); i < count; i += at.stride()) function(i);
  }
};

template <class Kernel>
concept TakesIndex = requires(const Kernel& kernel) { kernel(std::size_t{}); };
/// The kernel that is compiled for a struct that KAON_KERNEL names.
template <class Kernel>
using Compiled = std::conditional_t<TakesIndex<Kernel>, ForEach<Kernel>, Kernel>;

inline constexpr unsigned kThreadsOfABlock = 256;

template <class Kernel>
constexpr unsigned most_threads() {
  if constexpr (requires { Kernel::kMostThreads; }) return Kernel::kMostThreads;
  return kThreadsOfABlock;
}
template <class Kernel>
constexpr unsigned blocks_at_once() {
  if constexpr (requires { Kernel::kBlocksAtOnce; }) return Kernel::kBlocksAtOnce;
  return 1;
}
template <class Kernel>
constexpr bool needs_threads() {
  if constexpr (requires { Kernel::kNeedsThreads; }) return Kernel::kNeedsThreads;
  return false;
}
template <class Kernel>
constexpr bool is_cooperative() {
  if constexpr (requires { Kernel::kIsCooperative; }) return Kernel::kIsCooperative;
  return false;
}
/// In the emulation a block of such a kernel has a thread for each warp.
template <class Kernel>
constexpr bool has_warps() {
  if constexpr (requires { Kernel::kHasWarps; }) return Kernel::kHasWarps;
  return false;
}
template <class Kernel>
constexpr bool starts_early() {
  if constexpr (requires { Kernel::kStartsEarly; }) return Kernel::kStartsEarly;
  return false;
}
template <class Kernel>
constexpr bool is_gathered() {
  static_assert(!says_gathered<Kernel>() || !is_cooperative<Kernel>(),
                "kIsGathered: the blocks of a kernel that is kIsCooperative need a launch of their own");
  return says_gathered<Kernel>();
}
template <class Kernel>
KernelTraits traits_of() {
  return {typeid(Kernel).name(), most_threads<Kernel>(), needs_threads<Kernel>(), is_cooperative<Kernel>(),
          starts_early<Kernel>()};
}

/// The memory of a block that a kernel declares; empty for one that declares none.
struct NothingShared {};
template <class Kernel>
struct SharedMemory {
  using type = NothingShared;
};
template <class Kernel>
  requires requires { typename Kernel::Shared; }
struct SharedMemory<Kernel> {
  using type = typename Kernel::Shared;
  static_assert(std::is_trivially_default_constructible_v<type>,
                "the memory that a block shares is uninitialised: members of Kernel::Shared have no initialisers");
};
template <class Kernel>
using SharedOf = typename SharedMemory<Kernel>::type;

/// Runs the body of a kernel for one thread.
template <class Kernel, class Context>
KAON_DEVICE void run_body(const Kernel& kernel, Context& at, SharedOf<Kernel>& shared) {
  if constexpr (std::is_same_v<SharedOf<Kernel>, NothingShared>)
    kernel(at);
  else
    kernel(at, shared);
}

/// Both are defined where a kernel is compiled (KAON_KERNEL in a source of kernels). When the linker misses one of
/// them, the header or the source of the kernel is not in the program's kaon_kernels().
template <class Kernel>
struct HostKernel {
  static void launch(NativeStream stream, const Grid& grid, const Kernel& kernel);
};
class KernelRecord;
template <class Kernel>
struct VendorKernel {
  static void launch(NativeStream stream, const Grid& grid, const Kernel& kernel);
  static unsigned blocks_on_processor(unsigned threads);
  static const KernelRecord record;
};

template <class Kernel>
void launch(Backend backend, NativeStream stream, const Grid& grid, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel is a struct of trivially copyable arguments");
  static_assert(!TakesIndex<Kernel>, "launch(grid, kernel): this one takes an index; use for_each(count, kernel)");
  if (kHasVendor && backend != Backend::host) {
    if constexpr (kHasVendor) VendorKernel<Kernel>::launch(stream, grid, kernel);
  } else {
    HostKernel<Kernel>::launch(stream, grid, kernel);
  }
}

/// How many blocks of so many threads run at once on a device, with so many multiprocessors; on that of this thread.
template <class Kernel>
unsigned most_blocks_at_once(Backend backend, int processors, unsigned threads) {
  constexpr unsigned kOfTheEmulation = 33;
  if constexpr (kHasVendor) {
    if (backend != Backend::host)
      return VendorKernel<Kernel>::blocks_on_processor(threads) * static_cast<unsigned>(processors);
  }
  return kOfTheEmulation;
}

/// The threads that for_each() takes for so many steps: on a device as many as keep it busy.
Grid flat_grid(Backend backend, int processors, std::size_t count);

}  // namespace kaon::gpu
