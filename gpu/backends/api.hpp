// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/gpu/backends/backend.hpp"

// The only file that asks which vendor's library this build has. CMake defines KAON_WITH_CUDA and KAON_WITH_HIP as 0 or
// 1 for all who use kaon::gpu. Everybody gets the first part; the vendor's headers come along only for a source that
// defines KAON_VENDOR_API before its includes and for the vendor's compiler.
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

}  // namespace kaon::gpu

#if defined(KAON_DEVICE_COMPILER) && !defined(KAON_VENDOR_API)
#define KAON_VENDOR_API 1
#endif

#if defined(KAON_VENDOR_API) && KAON_WITH_CUDA
#include <cuda.h>  // types only: libcuda is asked for its functions at run time
#include <cuda_runtime.h>

namespace kaon::gpu::vendor {

using Status = cudaError_t;
using Stream = cudaStream_t;
using Event = cudaEvent_t;
using Callback = void (*)(void*);
using Properties = cudaDeviceProp;

inline constexpr const char* kLibrary = "CUDA";
inline constexpr Status kSuccess = cudaSuccess;
inline constexpr Status kNotReady = cudaErrorNotReady;
inline constexpr Status kNoMemory = cudaErrorMemoryAllocation;
inline constexpr Status kNoDevice = cudaErrorNoDevice;
inline constexpr Status kDriverTooOld = cudaErrorInsufficientDriver;
inline constexpr Status kPeerIsEnabled = cudaErrorPeerAccessAlreadyEnabled;

inline const char* name_of(Status status) { return cudaGetErrorName(status); }
inline const char* text_of(Status status) { return cudaGetErrorString(status); }
inline void forget_last_error() { static_cast<void>(cudaGetLastError()); }

/// Faults of a kernel after which the device is of no use to this process.
inline bool is_sticky(Status status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return false;
  }
}

/// 0: the machine has no driver.
inline Status driver_version(int* version) { return cudaDriverGetVersion(version); }
inline Status count_devices(int* count) { return cudaGetDeviceCount(count); }
inline Status get_properties(Properties* properties, int device) { return cudaGetDeviceProperties(properties, device); }
inline Status set_device(int device) { return cudaSetDevice(device); }
inline Status get_device(int* device) { return cudaGetDevice(device); }
inline Status can_reach_peer(int* can, int device, int peer) { return cudaDeviceCanAccessPeer(can, device, peer); }
inline Status enable_peer(int peer) { return cudaDeviceEnablePeerAccess(peer, 0); }

inline Status allocate(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline Status free(void* memory) { return cudaFree(memory); }
inline Status allocate_pinned(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
}
inline Status free_pinned(void* memory) { return cudaFreeHost(memory); }
inline Status pin(void* memory, std::size_t bytes) { return cudaHostRegister(memory, bytes, cudaHostRegisterPortable); }
inline Status unpin(void* memory) { return cudaHostUnregister(memory); }
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
inline Status fill(void* to, int byte, std::size_t bytes, Stream stream) {
  return cudaMemsetAsync(to, byte, bytes, stream);
}

// Neither the stream nor the event of a runtime that polls may ever wait for the default stream or take a time.
inline Status make_stream(Stream* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking); }
inline Status destroy_stream(Stream stream) { return cudaStreamDestroy(stream); }
inline Status call(Stream stream, Callback function, void* argument) {
  return cudaLaunchHostFunc(stream, function, argument);
}
inline Status make_event(Event* event) { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); }
inline Status destroy_event(Event event) { return cudaEventDestroy(event); }
inline Status record(Event event, Stream stream) { return cudaEventRecord(event, stream); }
inline Status query(Event event) { return cudaEventQuery(event); }
inline Status wait(Stream stream, Event event) { return cudaStreamWaitEvent(stream, event, 0); }

#if defined(KAON_DEVICE_COMPILER)
/// The second argument of __launch_bounds__, for so many blocks of so many threads at once on a multiprocessor.
constexpr unsigned launch_bound(unsigned, unsigned blocks) { return blocks; }

/// `value` of the thread `step` lanes further in the same warp.
__device__ inline double value_of_lane_above(double value, unsigned step) { return __shfl_down_sync(~0u, value, step); }
#endif

inline Status launch(const void* function, dim3 blocks, dim3 threads, void** arguments, Stream stream) {
  return cudaLaunchKernel(function, blocks, threads, arguments, 0, stream);
}

/// What the library knows of a pointer. `is_mappable`: other processes can map the allocation.
struct PointerFacts {
  enum class Kind : unsigned char { unregistered, pinned, device, managed } kind = Kind::unregistered;
  bool is_mappable = false;
  int device = -1;
  void* base = nullptr;
  std::size_t bytes = 0;
};

/// A function of libcuda; nullptr when this driver lacks it.
template <class Function>
Function* driver_function(const char* name) {
  constexpr unsigned kOldestDriver = 12000;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const Status status = cudaGetDriverEntryPointByVersion(name, &function, kOldestDriver, cudaEnableDefault, &found);
  const bool is_there = status == cudaSuccess && found == cudaDriverEntryPointSuccess;
  return is_there ? reinterpret_cast<Function*>(function) : nullptr;
}

/// The allocation that holds `pointer`. Attributes that do not apply stay as they are.
inline void find_allocation(const void* pointer, PointerFacts& facts) {
  using Query = CUresult(unsigned, CUpointer_attribute*, void**, CUdeviceptr);
  static Query* const query = driver_function<Query>("cuPointerGetAttributes");
  if (query == nullptr) return;
  int is_mappable = 0;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* values[] = {&is_mappable, &facts.base, &facts.bytes};
  if (query(3, attributes, values, reinterpret_cast<CUdeviceptr>(pointer)) == CUDA_SUCCESS) {
    facts.is_mappable = is_mappable != 0;
  }
}

inline Status inspect(const void* pointer, PointerFacts& facts) {
  cudaPointerAttributes attributes{};
  const Status status = cudaPointerGetAttributes(&attributes, pointer);
  if (status != cudaSuccess || attributes.type == cudaMemoryTypeUnregistered) return status;
  facts.kind = attributes.type == cudaMemoryTypeDevice    ? PointerFacts::Kind::device
               : attributes.type == cudaMemoryTypeManaged ? PointerFacts::Kind::managed
                                                          : PointerFacts::Kind::pinned;
  facts.device = attributes.device;
  find_allocation(pointer, facts);
  return status;
}

}  // namespace kaon::gpu::vendor

#elif defined(KAON_VENDOR_API) && KAON_WITH_HIP
#include <hip/hip_runtime.h>

namespace kaon::gpu::vendor {

using Status = hipError_t;
using Stream = hipStream_t;
using Event = hipEvent_t;
using Callback = void (*)(void*);
using Properties = hipDeviceProp_t;

inline constexpr const char* kLibrary = "HIP";
inline constexpr Status kSuccess = hipSuccess;
inline constexpr Status kNotReady = hipErrorNotReady;
inline constexpr Status kNoMemory = hipErrorOutOfMemory;
inline constexpr Status kNoDevice = hipErrorNoDevice;
inline constexpr Status kDriverTooOld = hipErrorInsufficientDriver;
inline constexpr Status kPeerIsEnabled = hipErrorPeerAccessAlreadyEnabled;

inline const char* name_of(Status status) { return hipGetErrorName(status); }
inline const char* text_of(Status status) { return hipGetErrorString(status); }
inline void forget_last_error() { static_cast<void>(hipGetLastError()); }

inline bool is_sticky(Status status) {
  switch (status) {
    case hipErrorIllegalAddress:
    case hipErrorLaunchFailure:
    case hipErrorLaunchTimeOut:
    case hipErrorAssert:
    case hipErrorECCNotCorrectable:
      return true;
    default:
      return false;
  }
}

inline Status driver_version(int* version) { return hipDriverGetVersion(version); }
inline Status count_devices(int* count) { return hipGetDeviceCount(count); }
inline Status get_properties(Properties* properties, int device) { return hipGetDeviceProperties(properties, device); }
inline Status set_device(int device) { return hipSetDevice(device); }
inline Status get_device(int* device) { return hipGetDevice(device); }
inline Status can_reach_peer(int* can, int device, int peer) { return hipDeviceCanAccessPeer(can, device, peer); }
inline Status enable_peer(int peer) { return hipDeviceEnablePeerAccess(peer, 0); }

inline Status allocate(void** memory, std::size_t bytes) { return hipMalloc(memory, bytes); }
inline Status free(void* memory) { return hipFree(memory); }
inline Status allocate_pinned(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, hipHostMallocPortable | hipHostMallocMapped);
}
inline Status free_pinned(void* memory) { return hipHostFree(memory); }
inline Status pin(void* memory, std::size_t bytes) { return hipHostRegister(memory, bytes, hipHostRegisterPortable); }
inline Status unpin(void* memory) { return hipHostUnregister(memory); }
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream);
}
inline Status fill(void* to, int byte, std::size_t bytes, Stream stream) {
  return hipMemsetAsync(to, byte, bytes, stream);
}

inline Status make_stream(Stream* stream) { return hipStreamCreateWithFlags(stream, hipStreamNonBlocking); }
inline Status destroy_stream(Stream stream) { return hipStreamDestroy(stream); }
/// By the older call with a status: hipLaunchHostFunc is declared by HIP 5.2, but its library lacks it.
inline Status call(Stream stream, Callback function, void* argument) {
  struct Call {
    Callback function;
    void* argument;
  };
  auto* const pending = new Call{function, argument};
  const auto run = [](Stream, Status, void* data) {
    const Call made = *static_cast<Call*>(data);
    delete static_cast<Call*>(data);
    made.function(made.argument);
  };
  const Status status = hipStreamAddCallback(stream, run, pending, 0);
  if (status != hipSuccess) delete pending;
  return status;
}
inline Status make_event(Event* event) { return hipEventCreateWithFlags(event, hipEventDisableTiming); }
inline Status destroy_event(Event event) { return hipEventDestroy(event); }
inline Status record(Event event, Stream stream) { return hipEventRecord(event, stream); }
inline Status query(Event event) { return hipEventQuery(event); }
inline Status wait(Stream stream, Event event) { return hipStreamWaitEvent(stream, event, 0); }

#if defined(KAON_DEVICE_COMPILER)
/// In this vendor's terms: wavefronts of 64 threads on each of the four units of a multiprocessor.
constexpr unsigned launch_bound(unsigned threads, unsigned blocks) { return (threads * blocks + 255) / 256; }

__device__ inline double value_of_lane_above(double value, unsigned step) { return __shfl_down(value, step); }
#endif

inline Status launch(const void* function, dim3 blocks, dim3 threads, void** arguments, Stream stream) {
  return hipLaunchKernel(function, blocks, threads, arguments, 0, stream);
}

/// As for CUDA; HIP 5.2 cannot tell which allocations other processes can map: all of hipMalloc's are.
struct PointerFacts {
  enum class Kind : unsigned char { unregistered, pinned, device, managed } kind = Kind::unregistered;
  bool is_mappable = true;
  int device = -1;
  void* base = nullptr;
  std::size_t bytes = 0;
};

inline Status inspect(const void* pointer, PointerFacts& facts) {
  hipPointerAttribute_t attributes{};
  if (hipPointerGetAttributes(&attributes, pointer) != hipSuccess) {  // so it answers for memory that is not its own
    forget_last_error();
    return hipSuccess;
  }
  facts.kind = attributes.isManaged                           ? PointerFacts::Kind::managed
               : attributes.memoryType == hipMemoryTypeDevice ? PointerFacts::Kind::device
                                                              : PointerFacts::Kind::pinned;
  facts.device = attributes.device;
  return hipMemGetAddressRange(&facts.base, &facts.bytes, const_cast<void*>(pointer));
}

}  // namespace kaon::gpu::vendor
#endif
