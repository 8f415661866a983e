// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kaon/gpu/backends/backend.hpp"

namespace kaon::gpu {

class CopyRooms;

/// Where the memory behind a pointer lies, as the back end knows it.
enum class Location : std::uint8_t {
  host,         // ordinary memory
  pinned,       // memory of the host that devices reach
  device,       // an allocation of the plain kind, which other processes can map
  device_pool,  // of an asynchronous pool or made by virtual memory calls: other processes cannot map it
  managed,      // moves between host and device by itself
};

struct Classification {
  Location location = Location::host;
  int device = -1;        // its number; -1 on the host
  void* base = nullptr;   // of the allocation that holds the pointer; nullptr on the host
  std::size_t bytes = 0;  // of that allocation
};

struct DeviceDescription {
  std::string name;
  std::size_t memory_bytes = 0;
  int processors = 0;  // multiprocessors; threads for `host`
};

/// Memory of another process, as `device` reaches it.
struct ImportedMemory {
  int device = -1;
  void* address = nullptr;
};

// Opaque handles of a back end: a cudaStream_t, a hipEvent_t, an object of the emulation.
using NativeStream = void*;
using NativeEvent = void*;

/// A copy that kernels of a device start (Driver::prepare_copy()). Behind the data it stores words, whose values it
/// reads then: `*value` into `*flag` and `*sent`, and `*use` into `*ended`. Each is seen by whoever sees what is stored
/// after it.
struct StartedCopy {
  /// The words that are stored after the data, in this order.
  struct Words {
    std::uint32_t* flag;
    std::uint32_t* sent;
    const std::uint32_t* value;
    std::uint32_t* ended;
    const std::uint32_t* use;
  };
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;          // 0: the words alone
  std::uint32_t* flag = nullptr;  // nullptr: none
  std::uint32_t* sent = nullptr;  // nullptr: none; in the memory of the device, as all that follow
  const std::uint32_t* value = nullptr;
  std::uint32_t* ended = nullptr;
  const std::uint32_t* use = nullptr;
  const void* store = nullptr;  // of a vendor: the kernel of one thread that takes Words and stores them
  Words words() const { return {flag, sent, value, ended, use}; }
};
using NativeCopy = void*;

/// `high`: where a device has room for one of two pieces of work, this stream's goes first.
enum class StreamPriority : std::uint8_t { normal, high };
inline constexpr std::size_t kStreamPriorities = 2;

/// One back end: the few operations that all of gpu/ is built on. Any thread may call; objects of one device are used
/// by threads that called use(). Nothing here waits for the device, but free(), free_pinned(), unpin() and
/// close_imported(), which wait for all work of the process' devices and hold up other threads meanwhile (see
/// FreeGate). No call disturbs a library that captures a graph on some thread meanwhile. Failures are GpuError, except
/// that allocate() answers nullptr when there is no memory left.
///
/// These are virtual because each stands in front of a call of a vendor's library that costs a hundred times more.
class Driver {
 public:
  virtual ~Driver() = default;
  virtual Backend backend() const = 0;

  // --- devices
  virtual int devices() const = 0;
  virtual DeviceDescription describe(int device) const = 0;
  /// Why this program cannot use a device; empty: it can. Leaves the device alone.
  virtual std::string why_unusable(int device) const = 0;
  /// Makes `device` the one of the calling thread; creates what the device needs at its first use. Other devices are
  /// left alone.
  virtual void use(int device) = 0;
  /// Same as use(), for a device that is already in use. Costs next to nothing: for threads where other libraries may
  /// have changed the current device.
  virtual void make_current(int device) = 0;
  /// Lets kernels and copies of `device` reach the memory of `peer` directly. False: it cannot.
  virtual bool enable_peer(int device, int peer) = 0;

  // --- memory
  virtual void* allocate(int device, std::size_t bytes) = 0;
  virtual void free(int device, void* memory) noexcept = 0;
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void free_pinned(void* memory) noexcept = 0;
  /// Lets all devices of the process copy from and to memory of the host that is somebody else's, such as a shared
  /// mapping, as if it had been allocated pinned. False: there is no memory left to pin.
  virtual bool pin(void* memory, std::size_t bytes) = 0;
  virtual void unpin(void* memory) noexcept = 0;
  virtual Classification classify(const void* pointer) = 0;
  /// A number of the allocation that holds the pointer, which no other ever has; 0: ordinary memory of the host. Costs
  /// less than classify(), and tells whether what that has said is still true.
  virtual std::uint64_t allocation_at(const void* pointer) = 0;
  /// By what other processes of the host find memory of allocate(); empty: they cannot.
  virtual std::vector<std::byte> export_memory(int device, void* memory) = 0;
  /// Maps what another process has exported, for `device`. Nothing: the device does not reach it. It stays until
  /// close_imported(), which waits for all that the device does.
  virtual std::optional<ImportedMemory> import_memory(int device, std::span<const std::byte> exported) = 0;
  virtual void close_imported(ImportedMemory memory) noexcept = 0;
  /// The same in all processes of the host that see this device, and of no other device.
  virtual std::string identity(int device) const = 0;
  /// Makes the bytes of freed memory unlike anything a program wrote, in the order of `stream`. Nothing on real
  /// devices.
  virtual void poison(void* memory, std::size_t bytes, NativeStream stream) = 0;

  // --- streams: work in the order in which it was given
  virtual NativeStream make_stream(int device, StreamPriority priority = StreamPriority::normal) = 0;
  virtual void destroy(NativeStream stream) noexcept = 0;
  /// `bytes` between any two places: host, pinned, this device, another device.
  virtual void copy(void* to, const void* from, std::size_t bytes, NativeStream stream) = 0;
  virtual void fill(void* to, int byte, std::size_t bytes, NativeStream stream) = 0;
  /// Calls `function(argument)` on a thread of the back end; it must not call the back end.
  virtual void call(void (*function)(void*), void* argument, NativeStream stream) = 0;

  /// True if work given to the stream becomes part of a graph that a library captures, instead of being executed.
  virtual bool is_capturing(NativeStream stream) = 0;

  // --- events: places in a stream
  /// For streams of this device.
  virtual NativeEvent make_event(int device) = 0;
  /// One that notes when it was reached, which costs the device a little.
  virtual NativeEvent make_timed_event(int device) = 0;
  virtual void destroy_event(NativeEvent event) noexcept = 0;
  /// The time between two timed events, both of which have been reached.
  virtual double seconds_between(NativeEvent begin, NativeEvent end) = 0;
  virtual void record(NativeEvent event, NativeStream stream) = 0;
  virtual bool is_reached(NativeEvent event) = 0;
  /// Lets the stream wait for the event's last record before this call; one never recorded delays nothing.
  virtual void wait(NativeStream stream, NativeEvent event) = 0;

  // --- words: places in a stream that the device tells by itself, so that nobody asks the driver
  virtual bool can_write_words(int device) = 0;
  /// Stores `value` for threads to see (acquire) when all is done that the stream was given; after a fault, never.
  /// `word`: of allocate_pinned().
  virtual void write_word(std::uint64_t* word, std::uint64_t value, NativeStream stream) = 0;
  /// The same of a word of 32 bits that kernels and streams see too (FlagWord).
  virtual void write_flag(std::uint32_t* word, std::uint32_t value, NativeStream stream) = 0;
  /// Lets the stream go on when the word has reached `k` on the circle of 32 bits.
  virtual void wait_flag(const std::uint32_t* word, std::uint32_t k, NativeStream stream) = 0;

  // --- copies that kernels start, without the host and without a multiprocessor
  /// Why kernels of `device` cannot start copies; empty: they can.
  virtual std::string why_no_started_copies(int device) const = 0;
  /// Returns the handle by which kernels of `device` start the copy, once the work that `stream` has by now is done.
  /// One run at a time. Waits for kernels that run on the device, where there is no room for one more copy.
  virtual NativeCopy prepare_copy(int device, const StartedCopy& copy, NativeStream stream) = 0;
  /// It does not run. Waits for kernels that run on the device.
  virtual void destroy_copy(NativeCopy copy) noexcept = 0;
  /// Makes room for `count` copies like this one in all, behind all kernels that run on the device.
  virtual void make_copy_room(int device, std::size_t count, const StartedCopy& like, NativeStream stream) = 0;
  /// The copies that callers have or are about to have. prepare_copy() does not wait for kernels within that room.
  virtual CopyRooms& copy_rooms() = 0;

  /// Lets an emulation without threads do one operation; true when it did. False does not mean that nothing is left:
  /// such an emulation also lets time pass. Whoever waits for an event calls this between two looks at it.
  virtual bool advance() { return false; }
  /// True if work proceeds only in advance().
  virtual bool is_stepped() const { return false; }
};

/// The emulation's own settings; each makes a program's missing waits visible.
struct HostSettings {
  int devices = 1;
  std::size_t memory_bytes = std::size_t{1} << 32;  // of each device
  std::uint64_t seed = 0;  // not 0: which stream goes on next follows from it alone, on one thread
  double delay_us = 0;     // longest pause before each kernel and copy; streams that are threads only
  bool poison = true;
  int queues = 0;                       // of each device, see HostEngine; 0: as many as it has streams
  bool has_peer_access = true;          // devices reach each other's memory, in a process and across processes
  Location foreign = Location::device;  // what classify() calls memory of devices; Kaon never asks it of its own
  /// Not 0: what gives memory back, makes room for prepared copies or destroys them, waits for all that streams were
  /// given, and holds up other threads, as CUDA has it. What has not ended after so many seconds is a fault of the
  /// device.
  double free_waits_s = 0;
};

/// Settings by the variable KAON_HOST_DEVICE of the environment: "devices=2,seed=7,delay_us=50,memory_mib=64,poison=0",
/// "peers=0" for devices that do not reach each other, and "foreign=pool" or "foreign=managed" for memory of the
/// program's own that other processes cannot map; "queues=8" for devices that stand still when so many of their streams
/// wait for flags; "free=waits" for free_waits_s. Throws UsageError.
HostSettings host_settings(const char* variable);

std::unique_ptr<Driver> make_host_driver(const HostSettings& settings);
/// The vendor's back end that this program was built with. nullptr: there is none or it finds no driver or no device;
/// then `why` says which.
std::unique_ptr<Driver> make_vendor_driver(std::string& why);

}  // namespace kaon::gpu
