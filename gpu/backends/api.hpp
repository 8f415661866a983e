// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/gpu/backends/backend.hpp"

// The only file that asks which vendor's library this build has. CMake defines KAON_WITH_CUDA and KAON_WITH_HIP as 0 or
// 1 for all who use kaon::gpu. Everybody gets the first part; the vendor's names (cuda_api.hpp, hip_api.hpp: the same
// functions in both) come along only for a source that defines KAON_VENDOR_API before its includes and for the vendor's
// compiler.
#if !defined(KAON_WITH_CUDA) || !defined(KAON_WITH_HIP)
#error "KAON_WITH_CUDA and KAON_WITH_HIP are not defined: link the CMake target kaon::gpu"
#endif

// Set while the vendor's compiler reads a kernel source.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define KAON_DEVICE_COMPILER 1
#define KAON_DEVICE __device__
#else
#define KAON_DEVICE
#endif

namespace kaon::gpu {

inline constexpr bool kHasVendor = KAON_WITH_CUDA != 0 || KAON_WITH_HIP != 0;
/// `host` when there is no vendor.
inline constexpr Backend kVendor = KAON_WITH_CUDA != 0  ? Backend::cuda
                                   : KAON_WITH_HIP != 0 ? Backend::hip
                                                        : Backend::host;
/// True if the vendor's streams compare flags modulo 2^32; otherwise a kernel waits for flags.
inline constexpr bool kStreamsKnowTheCircle = KAON_WITH_HIP == 0;
/// On a device of the vendor's, and what the emulation takes for one.
inline constexpr unsigned kThreadsOfAWarp = kVendor == Backend::hip ? 64 : 32;

}  // namespace kaon::gpu

#if defined(KAON_DEVICE_COMPILER) && !defined(KAON_VENDOR_API)
#define KAON_VENDOR_API 1
#endif

#if defined(KAON_VENDOR_API) && KAON_WITH_CUDA
#include "kaon/gpu/backends/cuda_api.hpp"
#include "kaon/gpu/backends/cuda_capture.hpp"
#include "kaon/gpu/backends/cuda_graphs.hpp"
#include "kaon/gpu/backends/cuda_times.hpp"
#include "kaon/gpu/backends/cuda_words.hpp"
#elif defined(KAON_VENDOR_API) && KAON_WITH_HIP
#include "kaon/gpu/backends/hip_api.hpp"
#include "kaon/gpu/backends/hip_capture.hpp"
#include "kaon/gpu/backends/hip_graphs.hpp"
#include "kaon/gpu/backends/hip_times.hpp"
#include "kaon/gpu/backends/hip_words.hpp"
#endif
