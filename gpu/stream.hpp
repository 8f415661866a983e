// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/span.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::gpu {

/// The wait until a stream has reached a position; other entries of the PE run meanwhile.
class PositionWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  PositionWait(Device& device, Position position) : device_(device), position_(position) {}
  bool is_ready() const { return position_.is_known_reached(); }
  bool start(Waiter& waiter) {
    soon_.waiter = &waiter;
    return device_.completions().when_reached(position_, soon_);
  }
  void give_up(Waiter&) noexcept { device_.completions().forget(soon_); }
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

/// Work for a device, done in the order in which it was given. Of this PE's device; used by its thread alone. Nothing
/// here waits for the device. A stream that ends while its work still runs lets it run on.
class Stream {
 public:
  Stream();
  explicit Stream(Device& device);
  /// One of the streams that all chares of this PE may share, by its number. What they hand to each other on one stream
  /// needs no waits: it is used in the order in which it was given.
  static Stream shared(std::size_t number = 0);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  Device& device() const { return device_; }
  StreamState& state() const { return state_; }

  /// Runs a kernel (gpu/kernel.hpp) on the grid.
  template <class Kernel>
  void launch(const Grid& grid, const Kernel& kernel) {
    StreamState& own = own_state();
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
  Event here() const { return {&state_, state_.submitted}; }
  /// As here(), for a wait that may follow later: what is given meanwhile is not waited for.
  Event record() {
    device_.completions().mark(here());
    return here();
  }
  /// What is given from now on comes after `event`.
  void wait(const Event& event) { device_.wait(state_, event); }
  Awaitable<PositionWait> reached(const Event& event) const { return Awaitable<PositionWait>(device_, event); }
  /// Waits until all that was given so far is done.
  Awaitable<PositionWait> drained() const { return reached(here()); }

  // --- for payloads
  /// What a post rule returns: memory that is written when all given so far is done.
  Landing landing(const void* memory, std::size_t bytes);
  template <class Memory>
  PayloadRecord* record_of(Memory memory) {
    PayloadRecord* record = announce_payload(memory.size_bytes(), Route::direct);
    memory.memory().give_to(*record);
    return settled(record);
  }
  template <class T>
  Span<T> view(PayloadRecord* record) {
    if (record == nullptr || record->bytes == 0) return {};
    make_visible(*record);
    return Span<T>(reinterpret_cast<T*>(record->data), record->bytes / sizeof(T));
  }

 private:
  Stream(Device& device, StreamState& shared) : device_(device), state_(shared), is_shared_(true) {}
  StreamState& own_state() const;  // throws UsageError on another PE's thread
  Grid grid_over(std::size_t count) const;
  void copy_bytes(void* to, std::size_t room, const void* from, std::size_t bytes);
  void fill_bytes(void* memory, int byte, std::size_t bytes);
  PayloadRecord* settled(PayloadRecord* record);
  void make_visible(PayloadRecord& record);

  Device& device_;
  StreamState& state_;
  bool is_shared_ = false;
};

}  // namespace kaon::gpu
