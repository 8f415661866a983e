// SPDX-License-Identifier: Apache-2.0
#pragma once
// CUDA by the names that all of gpu/ uses. Included by api.hpp alone, and empty for all others.
#if defined(KAON_VENDOR_API)
#include <cuda.h>  // types only: libcuda is asked for its functions at run time
#include <cuda_runtime.h>
#if defined(KAON_DEVICE_COMPILER)
#include <cooperative_groups.h>
#define KAON_GRID_CONSTANT __grid_constant__  // a parameter that is read where the launch has put it
#endif

#include <cstddef>

namespace kaon::gpu::vendor {

using Status = cudaError_t;
using Stream = cudaStream_t;
using Event = cudaEvent_t;
using Callback = void (*)(void*);
using ExportedMemory = cudaIpcMemHandle_t;
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
inline bool is_prohibited(int device) {
  int mode = 0;
  const Status status = cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device);
  return status == kSuccess && mode == cudaComputeModeProhibited;
}
inline Status set_device(int device) { return cudaSetDevice(device); }
inline Status bus_name(char* name, int bytes, int device) { return cudaDeviceGetPCIBusId(name, bytes, device); }
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
inline Status export_memory(ExportedMemory* exported, void* memory) { return cudaIpcGetMemHandle(exported, memory); }
inline Status import_memory(void** memory, ExportedMemory exported) {
  return cudaIpcOpenMemHandle(memory, exported, cudaIpcMemLazyEnablePeerAccess);
}
inline Status close_imported(void* memory) { return cudaIpcCloseMemHandle(memory); }
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
inline Status fill(void* to, int byte, std::size_t bytes, Stream stream) {
  return cudaMemsetAsync(to, byte, bytes, stream);
}

// Neither the stream nor the event of a runtime that polls may ever wait for the default stream or take a time.
inline Status make_stream(Stream* stream, bool is_first) {
  int last = 0, first = 0;
  const Status status = cudaDeviceGetStreamPriorityRange(&last, &first);
  if (status != kSuccess) return status;
  return cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, is_first ? first : 0);
}
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

__device__ inline unsigned mask_of(unsigned lanes) { return lanes == 32 ? ~0u : (1u << lanes) - 1; }
/// `value` of the thread `step` lanes further, or before, in the same warp. All `lanes` threads that it has must come.
template <class T>
__device__ T value_of_lane_above(T value, unsigned step, unsigned lanes) {
  return __shfl_down_sync(mask_of(lanes), value, step);
}
template <class T>
__device__ T value_of_lane_below(T value, unsigned step, unsigned lanes) {
  return __shfl_up_sync(mask_of(lanes), value, step);
}

__device__ inline void sync_grid() { cooperative_groups::this_grid().sync(); }

// Words that others of the system look at: PTX, as the library has no types for memory of everybody's.
__device__ inline unsigned load_acquire(const unsigned* word) {
  unsigned value;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
__device__ inline void store_release(unsigned* word, unsigned value) {
  asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
__device__ inline void add_release(unsigned* word, unsigned by) {
  asm volatile("red.release.sys.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "r"(by) : "memory");
}
__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
/// Waits until what a kernel that starts early follows has ended, and sees its results.
__device__ inline void wait_for_earlier() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}
__device__ inline void let_next_start() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
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

#if defined(KAON_DEVICE_COMPILER)
/// True if all devices that this source is compiled for can start kernels early.
constexpr bool can_start_early() {
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture < 900) return false;
  return true;
}

inline Status launch(const Launch& what) {
  constexpr std::size_t kFreely = std::size_t{48} << 10;  // shared bytes that need not be asked for
  if (what.shared_bytes > kFreely) {
    const Status status = cudaFuncSetAttribute(what.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               static_cast<int>(what.shared_bytes));
    if (status != kSuccess) return status;
  }
  if (!what.is_cooperative && !(what.starts_early && can_start_early()))
    return cudaLaunchKernel(what.function, what.blocks, what.threads, what.arguments, what.shared_bytes, what.stream);
  cudaLaunchAttribute attribute[1] = {};
  attribute[0].id =
      what.is_cooperative ? cudaLaunchAttributeCooperative : cudaLaunchAttributeProgrammaticStreamSerialization;
  if (what.is_cooperative)
    attribute[0].val.cooperative = 1;
  else
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = what.blocks;
  config.blockDim = what.threads;
  config.dynamicSmemBytes = what.shared_bytes;
  config.stream = what.stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelExC(&config, what.function, what.arguments);
}
/// How many blocks of so many threads a multiprocessor of the current device runs at once.
inline Status blocks_on_processor(int* blocks, const void* function, unsigned threads) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, static_cast<int>(threads), 0);
}
#endif

/// Makes the current device load a kernel.
inline Status load(const void* function) {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, function);
}

/// The vendor's attributes of a pointer. `is_mappable`: other processes can map the allocation.
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

using WriteWord = CUresult(CUstream, CUdeviceptr, cuuint64_t, unsigned);
inline WriteWord* word_writer() {
  static WriteWord* const write = driver_function<WriteWord>("cuStreamWriteValue64");
  return write;
}
/// True if streams of a device can store 64-bit words into pinned memory.
inline bool can_write_words(int device) {
  using Ask = CUresult(int*, CUdevice_attribute, CUdevice);
  static Ask* const ask = driver_function<Ask>("cuDeviceGetAttribute");
  int can = 0;
  return word_writer() != nullptr && ask != nullptr &&
         ask(&can, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, device) == CUDA_SUCCESS && can != 0;
}
/// Behind all that the stream was given, which is visible to the host by then.
inline Status write_word(Stream stream, void* word, unsigned long long value) {
  const CUresult done =
      word_writer()(stream, reinterpret_cast<CUdeviceptr>(word), value, CU_STREAM_WRITE_VALUE_DEFAULT);
  return done == CUDA_SUCCESS ? cudaSuccess : static_cast<Status>(done);  // the same numbers
}

using StreamFlag = CUresult(CUstream, CUdeviceptr, cuuint32_t, unsigned);
/// Same as write_word(), for a word of 32 bits.
inline Status write_flag(Stream stream, void* word, unsigned value) {
  static StreamFlag* const write = driver_function<StreamFlag>("cuStreamWriteValue32");
  if (write == nullptr) return cudaErrorNotSupported;
  return static_cast<Status>(write(stream, reinterpret_cast<CUdeviceptr>(word), value, CU_STREAM_WRITE_VALUE_DEFAULT));
}
/// Until the word has reached `k` on the circle of 32 bits.
inline Status wait_flag(Stream stream, const void* word, unsigned k) {
  static StreamFlag* const wait = driver_function<StreamFlag>("cuStreamWaitValue32");
  if (wait == nullptr) return cudaErrorNotSupported;
  return static_cast<Status>(wait(stream, reinterpret_cast<CUdeviceptr>(word), k, CU_STREAM_WAIT_VALUE_GEQ));
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

/// The driver's number of an allocation that it knows, the host's pinned memory among them; 0: none.
inline unsigned long long allocation_at(const void* pointer) {
  using Query = CUresult(void*, CUpointer_attribute, CUdeviceptr);
  static Query* const query = driver_function<Query>("cuPointerGetAttribute");
  unsigned long long number = 0;
  const bool is_known = query != nullptr && query(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID,
                                                  reinterpret_cast<CUdeviceptr>(pointer)) == CUDA_SUCCESS;
  return is_known ? number : 0;
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
#endif
