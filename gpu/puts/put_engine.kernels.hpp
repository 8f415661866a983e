// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/puts/put_ring.hpp"
#include "kaon/gpu/puts/put_starts.hpp"

namespace kaon::gpu {

/// Takes requests out of a ring and starts their copies, by one thread. A launch of a device may start 120 copies; so
/// the kernel launches itself again after some.
struct PutEngineKernel {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = 32;
  static constexpr std::uint32_t kStartsOfALaunch = 100;

  PutRing ring;
  PutStarts starts;
  std::uint32_t* runs_again = nullptr;  // 1 while it does, for the emulation
  PutReport* report = nullptr;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;

 private:
  /// A request, or the end.
  struct Next {
    std::uint32_t put, value;
    bool is_request;
  };
  template <class Context>
  KAON_DEVICE Next wait_for_next(Context& at, std::uint32_t position) const;
  template <class Context>
  KAON_DEVICE void fail(PutFault fault, std::uint32_t put) const;
  template <class Context>
  KAON_DEVICE void run_again() const;
};

/// Stores the words of a copy whose data is there: its flag and its word at the sender, if it has any, and that it has
/// ended.
struct StoreWordsOfCopy {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = 32;
  StartedCopy::Words words;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};
/// For StartedCopy::store, on a device of the vendor's.
const void* words_of_copy_kernel();

/// Prepares the kernel for a device of the vendor's; a handle for launch_put_engine() and Driver::destroy_copy().
NativeCopy prepare_put_engine(const PutEngineKernel& kernel, NativeStream stream);
void launch_put_engine(NativeCopy prepared, NativeStream stream);
/// Gives it to a stream of the emulation.
void launch_put_engine_on_host(const PutEngineKernel& kernel, NativeStream stream);

}  // namespace kaon::gpu
