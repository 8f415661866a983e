// SPDX-License-Identifier: Apache-2.0
#pragma once
// HIP by the names that all of gpu/ uses. Included by api.hpp alone, and empty for all others.
#if defined(KAON_VENDOR_API)
#include <hip/hip_runtime.h>
#if defined(KAON_DEVICE_COMPILER)
#include <hip/hip_cooperative_groups.h>
#define KAON_GRID_CONSTANT  // parameters lie in memory anyhow
#endif

#include <cstddef>

namespace kaon::gpu::vendor {

using Status = hipError_t;
using Stream = hipStream_t;
using Event = hipEvent_t;
using Callback = void (*)(void*);
using ExportedMemory = hipIpcMemHandle_t;
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
inline bool is_prohibited(int device) {
  int mode = 0;
  const Status status = hipDeviceGetAttribute(&mode, hipDeviceAttributeComputeMode, device);
  return status == kSuccess && mode == hipComputeModeProhibited;
}
inline Status set_device(int device) { return hipSetDevice(device); }
inline Status bus_name(char* name, int bytes, int device) { return hipDeviceGetPCIBusId(name, bytes, device); }
inline Status get_device(int* device) { return hipGetDevice(device); }
inline Status can_reach_peer(int* can, int device, int peer) { return hipDeviceCanAccessPeer(can, device, peer); }
inline Status enable_peer(int peer) { return hipDeviceEnablePeerAccess(peer, 0); }

/// Fine-grained: of what hipMalloc() gives, kernels that run on see the writes of other devices and of the host only
/// when they end (rings of peers, channels that devices drive, flags in a device's memory).
inline Status allocate(void** memory, std::size_t bytes) {
  return hipExtMallocWithFlags(memory, bytes, hipDeviceMallocFinegrained);
}
inline Status free(void* memory) { return hipFree(memory); }
inline Status allocate_pinned(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, hipHostMallocPortable | hipHostMallocMapped);
}
inline Status free_pinned(void* memory) { return hipHostFree(memory); }
inline Status pin(void* memory, std::size_t bytes) { return hipHostRegister(memory, bytes, hipHostRegisterPortable); }
inline Status unpin(void* memory) { return hipHostUnregister(memory); }
inline Status export_memory(ExportedMemory* exported, void* memory) { return hipIpcGetMemHandle(exported, memory); }
inline Status import_memory(void** memory, ExportedMemory exported) {
  return hipIpcOpenMemHandle(memory, exported, hipIpcMemLazyEnablePeerAccess);
}
inline Status close_imported(void* memory) { return hipIpcCloseMemHandle(memory); }
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream);
}
inline Status fill(void* to, int byte, std::size_t bytes, Stream stream) {
  return hipMemsetAsync(to, byte, bytes, stream);
}

inline Status make_stream(Stream* stream, bool is_first) {
  int last = 0, first = 0;
  const Status status = hipDeviceGetStreamPriorityRange(&last, &first);
  if (status != kSuccess) return status;
  return hipStreamCreateWithPriority(stream, hipStreamNonBlocking, is_first ? first : 0);
}
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

template <class T>
__device__ T value_of_lane_above(T value, unsigned step, unsigned) {
  return __shfl_down(value, step);
}
template <class T>
__device__ T value_of_lane_below(T value, unsigned step, unsigned) {
  return __shfl_up(value, step);
}

__device__ inline void sync_grid() { cooperative_groups::this_grid().sync(); }

__device__ inline unsigned load_acquire(const unsigned* word) {
  return __hip_atomic_load(const_cast<unsigned*>(word), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ inline void store_release(unsigned* word, unsigned value) {
  __hip_atomic_store(word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ inline void add_release(unsigned* word, unsigned by) {
  __hip_atomic_fetch_add(word, by, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}
/// By a clock of 100 MHz.
__device__ inline unsigned long long nanoseconds() { return __builtin_amdgcn_s_memrealtime() * 10; }
// HIP starts no kernel early, so there is nothing to wait for.
__device__ inline void wait_for_earlier() {}
__device__ inline void let_next_start() {}
#endif

/// A kernel with all that can be said of its launch.
struct Launch {
  const void* function;
  dim3 blocks, threads;
  void** arguments;
  std::size_t shared_bytes;  // beside what the kernel declares
  bool is_cooperative;
  bool starts_early;  // may begin before what was given to the stream earlier has ended
  Stream stream;
};

inline Status launch(const Launch& what) {
  const auto shared = static_cast<unsigned>(what.shared_bytes);
  if (what.is_cooperative)
    return hipLaunchCooperativeKernel(what.function, what.blocks, what.threads, what.arguments, shared, what.stream);
  return hipLaunchKernel(what.function, what.blocks, what.threads, what.arguments, shared, what.stream);
}
/// How many blocks of so many threads a multiprocessor of the current device runs at once.
inline Status blocks_on_processor(int* blocks, const void* function, unsigned threads) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, static_cast<int>(threads), 0);
}

/// Makes the current device load a kernel.
inline Status load(const void* function) {
  hipFuncAttributes attributes{};
  return hipFuncGetAttributes(&attributes, function);
}

/// Same as for CUDA. HIP 5.2 cannot tell which allocations other processes can map; all of hipMalloc's can be.
struct PointerFacts {
  enum class Kind : unsigned char { unregistered, pinned, device, managed } kind = Kind::unregistered;
  bool is_mappable = true;
  int device = -1;
  void* base = nullptr;
  std::size_t bytes = 0;
};

inline bool can_write_words(int device) {
  int can = 0;
  return hipDeviceGetAttribute(&can, hipDeviceAttributeCanUseStreamWaitValue, device) == kSuccess && can != 0;
}
inline Status write_word(Stream stream, void* word, unsigned long long value) {
  return hipStreamWriteValue64(stream, word, value, 0);
}

inline Status write_flag(Stream stream, void* word, unsigned value) {
  return hipStreamWriteValue32(stream, word, value, 0);
}
/// hipStreamWaitValue32 compares as numbers without a sign: where a flag goes around the circle of 32 bits, a wait
/// would end at once, or never. So a kernel waits: FlagWaitKernel.
inline Status wait_flag(Stream, const void*, unsigned) { return hipErrorNotSupported; }

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

/// HIP 5.2 numbers no allocations: where one begins and how long it is stands for it.
inline unsigned long long allocation_at(const void* pointer) {
  PointerFacts facts;
  if (inspect(pointer, facts) != hipSuccess || facts.kind == PointerFacts::Kind::unregistered) return 0;
  return reinterpret_cast<unsigned long long>(facts.base) ^ (static_cast<unsigned long long>(facts.bytes) << 20);
}

}  // namespace kaon::gpu::vendor
#endif
