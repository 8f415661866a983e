// SPDX-License-Identifier: Apache-2.0
#pragma once
// For sources of kernels (`x.kernels.cpp`) alone: the context of the back end that is being compiled, and
// KAON_KERNEL(Kernel), which puts the kernel into that back end. It stands outside of all namespaces.
//
// A context offers
//   index(), stride()        this thread among all of the grid, and how many those are
//   block(), blocks()        this block among all, as Extent
//   thread(), threads()      this thread among those of its block; one alone in the emulation, whatever the launch says
//   is_first()               of its block
//   sync()                   all threads of the block come here before any goes on
//   reduce_max(value)        over the block, valid in its first thread; all threads of the block must call it
//   add_into(cell, value)    adds to *cell at once, for all of the device: (unsigned) int, unsigned long long, float or
//                            double
//   max_into(cell, value)    raises *cell to `value` at once, for all of the device; neither may be negative
#include "kaon/gpu/kernels/host_context.hpp"
#include "kaon/gpu/kernels/vendor_context.hpp"

#if defined(KAON_DEVICE_COMPILER)
#define KAON_KERNEL(Kernel) \
  template void kaon::gpu::launch_on_vendor<Kernel>(kaon::gpu::NativeStream, const kaon::gpu::Grid&, const Kernel&)
#else
#define KAON_KERNEL(Kernel) \
  template void kaon::gpu::launch_on_host<Kernel>(kaon::gpu::NativeStream, const kaon::gpu::Grid&, const Kernel&)
#endif
