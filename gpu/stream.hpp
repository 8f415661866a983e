// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "kaon/gpu/backends/host_queue.hpp"
#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/gathered_launch.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/span.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::gpu {

class Flag;

/// The wait until a stream has reached a position; other entries of the PE run meanwhile.
class PositionWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  PositionWait(Device& device, Position position) : device_(device), position_(position) {}
  bool is_ready() const { return position_.is_known_reached(); }
  bool start(Waiter& waiter) {
    soon_.waiter = &waiter;
    return device_.stream_watcher().when_reached(position_, soon_);
  }
  void give_up(Waiter&) noexcept { device_.stream_watcher().forget(soon_); }
  void take() const noexcept {}
  std::string describe() const { return "for a stream of device " + std::to_string(device_.number()); }

 private:
  struct Soon : Work {  // what the network's turn finds out is told at the scheduler's
    Waiter* waiter = nullptr;
    Soon() {
      run = [](Work& self, Pe&) { static_cast<Soon&>(self).waiter->resume_soon(); };
    }
  };
  Device& device_;
  Position position_;
  Soon soon_;
};

/// A place in a stream, to be waited for by tasks (`co_await stream.reached(event)`) and other streams.
using Event = Position;

/// Work for a device, done in the order in which it was given. Of this PE's device; used by its thread alone, as every
/// function here checks. Nothing here waits for the device. A stream that ends while its work still runs lets it run
/// on.
class Stream {
 public:
  explicit Stream(StreamPriority priority = StreamPriority::normal);
  explicit Stream(Device& device);
  /// One of the streams that all chares of this PE may share, by its number. What they hand to each other on one stream
  /// needs no waits: it is used in the order in which it was given.
  static Stream shared(std::size_t number = 0);
  /// A stream of this PE's device that somebody else made and gives work of his own to (PyTorch's current one, say): a
  /// cudaStream_t or hipStream_t. It stays his, and lasts as long as what is made on it here: buffers and payloads.
  /// Payloads may land in its order later than that. While it captures a graph it is refused: throws UsageError.
  static Stream adopt(NativeStream native);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  Device& device() const { return device_; }

  /// Runs a kernel (<kaon/kernel.hpp>) on the grid.
  template <class Kernel>
  void launch(const Grid& grid, const Kernel& kernel) {
    StreamState& own = begin_own_work();
    if constexpr (is_cooperative<Kernel>()) device_.card().free_gate().announce(own);  // it may wait for flags
    gpu::launch(device_.driver().backend(), own.native, grid, kernel);
    ++own.submitted;
  }
  /// Runs `function(i)` for each i below `count`.
  template <class Function>
  void for_each(std::size_t count, const Function& function) {
    static_assert(TakesIndex<Function>,
                  "for_each(count, function): the function is a struct with KAON_DEVICE void operator()(std::size_t) "
                  "const, named by KAON_KERNEL");
    if (count > 0) launch(grid_over(count), ForEach<Function>{count, function});
  }
  /// Same as launch(), for small kernels that say kIsGathered. Kernels of one type that several chares give to a
  /// shared() stream, each by a Stream of its own, become one launch. It takes place when the PE has nothing else to
  /// run, or when the first of them is needed. Work of one Stream keeps its order, and waits for payloads and buffers
  /// stay the same. Relative to other work of different Streams, gathered kernels may run at the same time.
  template <class Kernel>
  void gather(const Grid& grid, const Kernel& kernel);
  /// Same as for_each(), gathered.
  template <class Function>
  void gather_each(std::size_t count, const Function& function) {
    if (count > 0) gather(grid_over(count), ForEach<Function>{count, function});
  }
  /// Lets a library, or a kernel of the program's own, put work into the stream: `function` gets the vendor's stream
  /// (`static_cast<cudaStream_t>(native)`), whose device is the current one, and puts its work there. It must not wait
  /// for it, nor keep the stream; a graph that it captures on the stream is ended before it returns. On the emulation
  /// `on_host` is done in its place, in the order of the stream.
  template <class Function, class OnHost>
  void give(Function&& function, OnHost on_host) {
    StreamState& own = begin_own_work();
    device_.card().free_gate().announce(own);  // collectives of a library wait for other processes
    ++own.submitted;                           // before: what throws may have given something
    if (is_emulated()) {
      enqueue_on_host(own.native, std::move(on_host));
    } else {
      function(own.native);
      refuse_capture("stream.give(): the function has left");
    }
  }
  /// Same as above, for programs that need a device: throws UsageError on the emulation.
  template <class Function>
  void give(Function&& function) {
    refuse_emulation();
    give(std::forward<Function>(function), [] {});
  }
  template <class T>
  void copy(Span<T> to, std::type_identity_t<Span<const T>> from) {
    copy_bytes(to.data(), to.size_bytes(), from.data(), from.size_bytes());
  }
  template <class T>
  void copy(Span<T> to, const Pinned<T>& from) {
    copy_bytes(to.data(), to.size_bytes(), from.span().data(), from.span().size_bytes());
  }
  template <class T>
  void copy(Pinned<T>& to, std::type_identity_t<Span<const T>> from) {
    copy_bytes(to.span().data(), to.span().size_bytes(), from.data(), from.size_bytes());
  }
  /// Sets every byte.
  template <class T>
  void fill(Span<T> memory, int byte) {
    fill_bytes(memory.data(), byte, memory.size_bytes());
  }

  /// The place after all that was given so far, for a wait that follows at once.
  Event here() const {
    StreamState& own = own_state();
    return {&own, own.all_given()};
  }
  /// Same as here(), for a wait that may follow later: it does not wait for work that is given meanwhile.
  Event record() {
    const Event event = here();
    device_.stream_watcher().mark(event);
    return event;
  }
  /// Orders work that is given from now on after `event`.
  void wait(const Event& event) { device_.order().wait(begin_work(), event); }
  /// Orders work that is given from now on after the flag has been raised k times. It may be raised from anywhere. A
  /// stream whose flag is never raised waits for ever; at the end of the run, until the device time-out.
  void wait(const Flag& flag, std::uint32_t k);
  /// The same of a word that puts, kernels or another stream raise (FlagWord), in memory that this device reaches. The
  /// memory outlives the wait.
  void wait(FlagWord word, std::uint32_t k);
  /// Raises the flag when all given so far is done.
  void raise(const Flag& flag, std::uint32_t by = 1);
  /// Stores k into a word when all given so far is done: in memory of this device, of the host, or of another device
  /// that this one reaches. Only this stream raises the word, and k rises.
  void raise_to(FlagWord word, std::uint32_t k);
  Awaitable<PositionWait> reached(const Event& event) const {
    own_state();
    return Awaitable<PositionWait>(device_, event);
  }
  /// Waits until all that was given so far is done.
  Awaitable<PositionWait> drained() const { return reached(here()); }

  // --- for payloads
  /// The landing that a post rule returns: memory that is written when all work given so far is done.
  Landing landing(const void* memory, std::size_t bytes);
  template <class Memory>
  OwnedPayload record_of(Memory memory) {
    OwnedPayload record(announce_payload(memory.size_bytes(), Route::direct));
    memory.memory().give_to(*record);
    settle(*record);
    return record;
  }
  template <class T>
  Span<T> view(PayloadRecord* record) {
    if (record == nullptr || record->bytes == 0) return {};
    make_visible(*record);
    return Span<T>(reinterpret_cast<T*>(record->data), record->bytes / sizeof(T));
  }

 private:
  Stream(Device& device, StreamState& state, bool is_shared) : device_(device), state_(state), is_shared_(is_shared) {}
  friend class StreamMemory;        // which holds memory in the order of a stream
  StreamState& own_state() const;   // throws UsageError on another PE's thread
  StreamState& begin_work() const;  // also makes the device the current one, which libraries may have changed
  // The same of what takes the device's time, and is no wait.
  StreamState& begin_own_work() const {
    StreamState& own = begin_work();
    device_.load_meter().note_work(own);
    return own;
  }
  bool is_emulated() const { return device_.driver().backend() == Backend::host; }
  void refuse_emulation() const;
  void refuse_capture(const char* who) const;
  Grid grid_over(std::size_t count) const;
  void copy_bytes(void* to, std::size_t room, const void* from, std::size_t bytes);
  void fill_bytes(void* memory, int byte, std::size_t bytes);
  void settle(PayloadRecord& record);
  void make_visible(PayloadRecord& record, bool must_own = false);

  Device& device_;
  StreamState& state_;
  std::uint64_t gathered_ = 0;  // the position behind the last kernel that was
  bool is_shared_ = false;
};

template <class Kernel>
void Stream::gather(const Grid& grid, const Kernel& kernel) {
  static_assert(says_gathered<Kernel>(),
                "gather(grid, kernel): this kernel does not say static constexpr bool kIsGathered = true");
  StreamState& own = own_state();
  if (own.is_foreign) return launch(grid, kernel);  // its owner's own work would come before
  check_grid(grid, traits_of<Kernel>());
  if (own.holds(gathered_)) device_.held().launch(own);
  auto& gathered = GatheredLaunch<Kernel>::with_room(device_, own, grid);
  gathered.add(grid, kernel);
  device_.load_meter().note_held(own);
  gathered_ = ++own.submitted;
  if (gathered.is_full()) device_.held().launch(own, LaunchCause::full);
}

}  // namespace kaon::gpu
