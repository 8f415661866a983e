// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/chares/posted_function.hpp"
#include "kaon/runtime/work/gate.hpp"

namespace kaon::chares {

/// A PE, as threads of the program's own reach it: `runtime.outside()` gives one, on that PE, to be copied to them.
///
///   std::thread reader([outside = runtime.outside(), array] {
///     outside.post([array] { array[7].send<&Cell::add>(1); });               // runs on the PE
///     int sum = outside.call([array] { return array.call_all<&Cell::total>(kaon::sum); }).get();
///   });
///
/// What one thread gives runs in its order. Quiescence waits for what was given before it was awaited; and while an
/// Outside is held anywhere, a run that stands still is no deadlock, as something may come. A thread may hold it longer
/// than the run lasts: nothing runs any more then.
class Outside {
 public:
  /// Of no PE; to be assigned to.
  Outside() = default;
  /// Of the PE whose thread this is.
  explicit Outside(Pe& pe);

  /// Runs a function, or a coroutine that returns Task<>, once on the PE. It may take `kaon::Runtime&`, the runtime of
  /// the PE. It is kept until it has ended, so that a coroutine lambda may capture. What it throws ends the run. Throws
  /// RunEnded when the run is over; what was posted before and has not run by then never runs. Any thread.
  template <class F>
  void post(F function) const {
    using Value = outside::ValueOf<F>;
    static_assert(std::is_void_v<Value>, "post(f): f returns a value that nobody gets: use call(f), or return nothing");
    give<outside::ForNobody>("post", std::move(function), outside::ForNobody());
  }

  /// As post, of a function or task whose value, or exception, the thread can wait for. The future has RunEnded when
  /// the run ends before the value is there. Throws UsageError on a thread that is a PE, which would wait for itself.
  template <class F>
  std::future<outside::ValueOf<F>> call(F function) const {
    using Receiver = outside::ForFuture<outside::ValueOf<F>>;
    outside::require_no_pe();
    Receiver receiver;
    auto future = receiver.future();
    give<Receiver>("call", std::move(function), std::move(receiver));
    return future;
  }

 private:
  template <class Receiver, class F>
  void give(const char* how, F&& function, Receiver&& receiver) const {
    if (gate_ == nullptr) outside::throw_unnamed();
    auto posted = std::make_unique<outside::PostedFunction<F, Receiver>>(std::forward<F>(function),
                                                                         std::forward<Receiver>(receiver));
    if (gate_->post(std::move(posted))) return;
    if constexpr (!Receiver::kTellsOfEnd) outside::throw_ended(how);
  }

  std::shared_ptr<Gate> gate_;
};

}  // namespace kaon::chares
