// SPDX-License-Identifier: Apache-2.0
#pragma once
// For sources of kernels alone (`x.kernels.cpp`): the context of the back end that is being compiled, and
// KAON_KERNEL(Kernel), which puts the kernel into that back end. Headers of kernels that stand in kaon_kernels() get it
// by themselves.
//
// A context offers
//   index(), stride()        this thread among all of the grid, and how many those are
//   block(), blocks()        this block among all, as Extent
//   thread(), threads()      this thread among those of its block; in the emulation one alone, unless the kernel says
//                            kNeedsThreads
//   is_first()               of its block
//   dynamic_shared()         the bytes of shared memory that the grid asked for: `float* row = at.dynamic_shared();`
// for all threads of a block together, each of which must come to each call:
//   sync()                   all come here before any goes on
//   sum(x), min(x), max(x)   over the block, for all its threads; x is a number of 4 or 8 bytes
//   inclusive_scan(x), exclusive_scan(x)   the sum over the threads of the block up to, or before, this one
// and for all of a device:
//   add_into(cell, value)    adds to *cell at once: (unsigned) int, unsigned long long, float or double
//   max_into(cell, value)    raises *cell to `value` at once; neither may be negative
//   fetch_add(cell, value), fetch_or(cell, bits)   change *cell at once and return what it had before; of 4 or 8 bytes
//                            without a sign. Acquire and release, among the threads of this device; as a last argument
//                            Scope::system includes other devices and the host
//   arrive(counter, n)       counts this call; true for the last of n, which sees what threads wrote before theirs. The
//                            counter (std::uint32_t) begins at 0 and is 0 again behind the last. By one thread of a
//                            block, behind sync() where others have written. Takes a scope, too
//   nanoseconds()            the clock of the device, which starts anywhere; differences count, on one device. In the
//                            emulation the clock of the host
//   sync_grid()              as sync(), of all blocks; with kIsCooperative
//   raise(flag), raise(flag, by), raise_to(flag, k)   a FlagWord (flag_device.hpp); what this thread wrote before is
//                            seen by who sees the flag raised. raise_to() is for a flag that one alone raises.
//                            raise(flag, by, Scope::device) costs less, where only threads of this device wait
//   value_of(flag), has_reached(flag, k)
//   wait_for(flag, k), wait_for(flag, k, limit)   until it has reached k, of this thread alone; false: the limit came
//                            first; with kIsCooperative
//   is_in_first_warp()       of its block; in the emulation a warp has one thread
//   find<Found>(look)        calls `bool look(unsigned looks, Found& found)`, with how often it has looked before,
//                            until it says true, and returns what it found; in the emulation `looks` is always 0, and
//                            a look must change nothing else; with kIsCooperative
//   give_way()               in the emulation: lets other threads go on, which those of a device do anyhow
//   wait_for_earlier()       what was given to the stream before is done and seen from here on; with kStartsEarly
//   let_next_start()         the next kernel of the stream, if it says kStartsEarly, may start when all blocks came
//   here
// Sums and scans of floating point numbers add in another order on each back end.
#include "kaon/gpu/backends/api.hpp"

#if defined(KAON_DEVICE_COMPILER)
#include "kaon/gpu/kernels/vendor_context.hpp"
#include "kaon/gpu/kernels/vendor_gathered.hpp"
#include "kaon/gpu/kernels/vendor_warp.hpp"
#undef KAON_KERNEL
#define KAON_KERNEL(...)                                                     \
  template struct kaon::gpu::VendorKernel<kaon::gpu::Compiled<__VA_ARGS__>>; \
  template struct kaon::gpu::VendorGathered<kaon::gpu::Compiled<__VA_ARGS__>>
#else
#include "kaon/gpu/kernels/host_gathered.hpp"
#include "kaon/gpu/kernels/host_kernel.hpp"
#include "kaon/gpu/kernels/host_warp.hpp"
#undef KAON_KERNEL
#define KAON_KERNEL(...)                                                   \
  template struct kaon::gpu::HostKernel<kaon::gpu::Compiled<__VA_ARGS__>>; \
  template struct kaon::gpu::HostGathered<kaon::gpu::Compiled<__VA_ARGS__>>
#endif
