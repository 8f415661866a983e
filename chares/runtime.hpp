// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/creation.hpp"
#include "kaon/chares/elements/insertion.hpp"
#include "kaon/chares/proxy.hpp"
#include "kaon/chares/waits/waits.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"

namespace kaon::chares {

/// The run, as the main task and the chares on one PE see it.
class Runtime {
 public:
  explicit Runtime(Pe& pe) : pe_(pe) {}

  PeId pe() const { return pe_.id(); }
  PeId pes() const;
  int process() const;
  int processes() const;
  /// Whether the PEs have devices: main() said `kaon::with_devices`, or --device was given.
  bool has_devices() const { return pe_.has_accelerator(); }

  /// Makes an array of chares: `co_await` gives its proxy when all elements are there. Each is constructed with copies
  /// of the arguments; arguments of another PE's elements are serialized. Throws UsageError for an impossible shape.
  template <class C, class... A>
  Task<Proxy<C>> create(Shape shape, A... arguments) {
    return create_mapped<C>(shape, Map::block, std::move(arguments)...);
  }

  /// As create, with the elements dealt to the PEs by `map`.
  template <class C, class... A>
  Task<Proxy<C>> create_mapped(Shape shape, Map map, A... arguments) {
    static_assert(std::is_base_of_v<Chare<C, Index>, C>, "create<C>: C must derive from kaon::Chare<C>");
    static_assert(std::is_constructible_v<C, const A&...>,
                  "create<C>(shape, ...): C has no constructor for these arguments");
    static_cast<void>(require_serializable_arguments<ConstructorArgumentOf<C>>(std::type_identity<std::tuple<A...>>{},
                                                                               std::index_sequence_for<A...>{}));
    check(shape);
    const CollectionId id = co_await new_collection();
    Message& message = Creation<C, A...>::make(pe_, id, shape, map, std::move(arguments)...);
    co_await typename Creation<C, A...>::Done(pe_, message, pe_.id());
    co_return Proxy<C>(id, shape);
  }

  /// Makes an array without elements, into which they are inserted: `array[index].insert(...)`. Messages for elements
  /// that are not there wait at their homes; those for which none ever comes are named when the run stands still.
  template <class C>
  Task<Proxy<C>> create_sparse() {
    static_assert(std::is_base_of_v<ElementBase, C>, "create_sparse<C>: C must derive from kaon::Chare<C>");
    const CollectionId id = co_await new_collection();
    Message& message = Creation<C>::make(pe_, id, Shape::sparse(), Map::block);
    co_await typename Creation<C>::Done(pe_, message, pe_.id());
    co_return Proxy<C>(id, Shape::sparse());
  }

  /// Makes one chare on each PE.
  template <class C, class... A>
  Task<Group<C>> create_group(A... arguments) {
    const Proxy<C> proxy =
        co_await create_mapped<C>(Shape(static_cast<int>(pes())), Map::round_robin, std::move(arguments)...);
    co_return Group<C>(proxy.id(), proxy.shape());
  }

  /// Waits until no message is under way and nothing will happen of itself: entries have returned or wait for messages,
  /// no call waits for its result and no timer runs. Streams of devices that nobody awaits may still have work.
  Awaitable<QuiescenceWait> quiescence() { return Awaitable<QuiescenceWait>(pe_); }

  /// Which ways payloads took on all PEs until now, and why some did not take the direct one. --explain-transfers
  /// prints this at the end of a run.
  Task<TransferReport> transfers();

  /// Waits; other entries run meanwhile.
  template <class Rep, class Period>
  Awaitable<Sleep> sleep_for(std::chrono::duration<Rep, Period> time) {
    return Awaitable<Sleep>(pe_, Sleep::clamped(time));
  }

  /// Lets all that this PE has sent leave at once. Needed only by who knows better: what a long entry sends leaves by
  /// itself, and what short ones send goes together.
  void flush() { pe_.flush(); }

 private:
  Call<CollectionId, CollectionId> new_collection();

  Pe& pe_;
};

/// The run as the calling PE sees it.
Runtime this_runtime();

}  // namespace kaon::chares
