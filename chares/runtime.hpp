// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "kaon/chares/chare.hpp"
#include "kaon/chares/lifecycle/creation.hpp"
#include "kaon/chares/lifecycle/insertion.hpp"
#include "kaon/chares/lifecycle/single.hpp"
#include "kaon/chares/migration/begin.hpp"
#include "kaon/chares/proxy.hpp"
#include "kaon/chares/waits/waits.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

class Outside;
template <class T>
class ReadOnly;
template <class... T>
class Future;

/// The run, as the main task and the chares on one PE see it.
class Runtime {
 public:
  explicit Runtime(Pe& pe) : pe_(pe) {}

  PeId pe() const { return pe_.id(); }
  PeId pes() const;
  int process() const;
  int processes() const;
  /// True if the PEs have devices: main() passed `kaon::with_devices`, or --device was given.
  bool has_devices() const { return pe_.has_accelerator(); }

  /// Makes an array of chares: `co_await` gives its proxy when all elements are there. Each is constructed with copies
  /// of the arguments; arguments of another PE's elements are serialized. Throws UsageError for an impossible shape,
  /// and what a constructor throws: then the array ends, with those of its elements that were made.
  template <class C, class... A>
  Task<Proxy<C>> create(Shape shape, A... arguments) {
    return create_mapped<C>(shape, Map::block, std::move(arguments)...);
  }

  /// Same as create(), but `map` distributes the elements over the PEs.
  template <class C, class... A>
  Task<Proxy<C>> create_mapped(Shape shape, Map map, A... arguments) {
    static_assert(std::is_base_of_v<ElementBase, C>, "create<C>: C must derive from kaon::Chare<C>");
    static_cast<void>(ChareClass<C>::kIs);
    static_assert(std::is_constructible_v<C, const A&...>,
                  "create<C>(shape, ...): C has no constructor for these arguments");
    static_assert(
        (is_copyable<A> && ...),
        "create<C>(shape, ...): every element gets a copy of the arguments, and one of these cannot be copied");
    static_cast<void>(require_serializable_arguments<ConstructorArgumentOf<C>>(std::type_identity<std::tuple<A...>>{},
                                                                               std::index_sequence_for<A...>{}));
    check_dimensions(shape, DenseIndex<typename C::IndexType>::kDimensions);
    check_map(shape, map);
    const CollectionId id = co_await new_collection();
    const Proxy<C> made(id, shape);
    try {
      co_await Creation<C, A...>::start(pe_, {.id = id, .shape = shape, .map = map}, std::move(arguments)...);
    } catch (...) {
      end_failed(id);
      throw;
    }
    co_return made;
  }

  /// Makes an array without elements, into which they are inserted: `array[index].insert(...)`. Messages for elements
  /// that are not there wait at their homes; those for which none ever comes are named when the run stands still.
  template <class C>
  Task<Proxy<C>> create_sparse() {
    static_assert(std::is_base_of_v<ElementBase, C>, "create_sparse<C>: C must derive from kaon::Chare<C>");
    static_cast<void>(ChareClass<C>::kIs);
    const CollectionId id = co_await new_collection();
    co_await Creation<C>::start(pe_, {.id = id, .shape = Shape::sparse()});
    co_return Proxy<C>(id, Shape::sparse());
  }

  /// Makes an array of the shape of another and bound to it: the element of an index is made where that one's element
  /// of the index is, with copies of the arguments, and they stay together: each finds the other by `local()` of its
  /// name, and when one is told to move, or the leader is balanced, all that are bound to the leader move when they are
  /// at rest. Into an array that is sparse like its leader further elements are inserted, which are made where the
  /// leader's are, or come to be. What is bound to a bound array has the same leader. No element of the leader may
  /// be deleted meanwhile; of those that were before there is none in the new array. Who was bound to an element that
  /// is deleted is free, as all are when the leader is destroyed. Throws UsageError for a node group, and what the
  /// constructors throw.
  template <class C, class L, class... A>
  Task<Proxy<C>> create_bound(Proxy<L> leader, A... arguments) {
    static_assert(std::is_base_of_v<ElementBase, C>, "create_bound<C>: C must derive from kaon::Chare<C>");
    static_cast<void>(ChareClass<C>::kIs);
    static_assert(std::is_same_v<typename C::IndexType, typename L::IndexType>,
                  "create_bound<C>(leader, ...): the elements of C are to be indexed as those of the leader are");
    static_assert(std::is_constructible_v<C, A...>,
                  "create_bound<C>(leader, ...): C has no constructor for these arguments");
    const Map map = bonds::map_of_leader(proxy::table_of(pe_, leader.id()));
    const CollectionId id = co_await new_collection();
    const Proxy<C> made(id, leader.shape());
    try {
      co_await Creation<C>::start(pe_, {.id = id, .shape = leader.shape(), .map = map, .leader = leader.id()});
      if (leader.is_sparse())
        co_await leader.template call_all_and_wait<&L::template insert_mate<C, A...>>(id, std::move(arguments)...);
      else
        co_await leader.template call_all_and_wait<&L::template make_mate<C, A...>>(id, std::move(arguments)...);
    } catch (...) {
      end_failed(id);
      throw;
    }
    co_return made;
  }

  /// Makes a chare that is in no array, somewhere: on this PE, or on one that has nothing to do before its turn has
  /// come. Its name is good at once, and messages for it find it. Of those that wait the newest are made first. The
  /// chare lives until it calls destroy().
  template <class C, class... A>
  Element<C> make(A&&... arguments) {
    return make_single<C>({}, 0, std::forward<A>(arguments)...);
  }
  /// Same as make(), but on PE `pe`. Throws UsageError if there is no such PE.
  template <class C, class... A>
  Element<C> make_on(PeId pe, A&&... arguments) {
    check_pe(pe);
    return make_single<C>(pe, 0, std::forward<A>(arguments)...);
  }
  /// Same as make(), but before (negative) or after (positive) others that wait to be made, wherever they are.
  template <class C, class... A>
  Element<C> make_with_priority(std::int32_t priority, A&&... arguments) {
    return make_single<C>({}, priority, std::forward<A>(arguments)...);
  }
  /// The same in the order of bits, as a search wants it: behind those without a priority.
  template <class C, class... A>
  Element<C> make_with_priority(const BitPriority& priority, A&&... arguments) {
    return make_single<C>({}, priority, std::forward<A>(arguments)...);
  }

  /// Makes one chare on each PE.
  template <class C, class... A>
  Task<Group<C>> create_group(A... arguments) {
    const Proxy<C> proxy =
        co_await create_mapped<C>(Shape(static_cast<int>(pes())), Map::one_per_pe, std::move(arguments)...);
    co_return Group<C>(proxy.id(), proxy.shape());
  }

  /// Makes one chare for each process, on the first of its PEs.
  template <class C, class... A>
  Task<NodeGroup<C>> create_node_group(A... arguments) {
    const Proxy<C> proxy = co_await create_mapped<C>(Shape(processes()), Map::one_per_process, std::move(arguments)...);
    co_return NodeGroup<C>(proxy.id(), proxy.shape());
  }

  /// From now on what each element of an array takes of its PE is measured, and whenever all of them have called
  /// rebalance() the strategy, which is run on this PE, says where they go on (kaon::strategies has some). Throws
  /// UsageError when another PE leads the balancing of the array.
  template <class C>
  Task<> balance(Proxy<C> array, Strategy strategy) {
    check_moving<C>();
    return balancing::begin(pe_, array.id(), std::move(strategy));
  }
  /// Deals the elements of an array to the PEs anew, by what they took since the last time or since balance(). Each
  /// moves when it is at rest: when its entries have ended, or at at_rest(). `co_await` ends when all are where they
  /// are to be, and says what was done. Throws UsageError when the strategy throws or gives no places, and then nothing
  /// moves; and as balance does.
  template <class C>
  Task<BalanceStep> rebalance(Proxy<C> array, Strategy strategy) {
    check_moving<C>();
    return balancing::step(pe_, array.id(), std::move(strategy));
  }
  /// Reports the balancing of an array so far. Call it on the PE that leads the balancing. Throws UsageError elsewhere,
  /// and if the array is not balanced. --log-level info prints each step when it is over.
  template <class C>
  BalancingReport balancing_report(Proxy<C> array) {
    return balancing::report(pe_, array.id());
  }

  /// A value that is to come: `co_await` it here, and give its callback() to whoever will know it. (callbacks.hpp)
  template <class... T>
  Future<T...> future();

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

  /// This PE, as threads of the program's own reach it; see Outside.
  Outside outside() const;

  /// Lets all that this PE has sent leave at once. Needed only by who knows better: what a long entry sends leaves by
  /// itself, and what short ones send goes together.
  void flush() {
    pe_.held_sends().send(pe_);
    pe_.flush();
  }

 private:
  template <class C>
  static constexpr void check_moving() {
    static_assert(std::is_default_constructible_v<C>,
                  "balance(array, ...): the class needs a default constructor, to be made anew where an element goes");
    static_cast<void>(require_serializable<C, ClassToMigrate>());
  }
  template <class C, class Priority, class... A>
  Element<C> make_single(std::optional<PeId> to, const Priority& priority, A&&... arguments) {
    constexpr bool kIsChare = std::is_base_of_v<ElementBase, C>;
    static_assert(kIsChare, "make<C>: C must derive from kaon::Chare<C>");
    if constexpr (kIsChare) static_cast<void>(ChareClass<C>::kIs);
    constexpr bool kMakes = std::is_constructible_v<C, std::decay_t<A>&&...>;
    static_assert(kMakes, "make<C>(...): C has no constructor for these arguments");
    if constexpr (kIsChare && kMakes) {
      static_cast<void>(require_serializable_arguments<ConstructorArgumentOf<C>>(
          std::type_identity<std::tuple<std::decay_t<A>...>>{}, std::index_sequence_for<A...>{}));
      if constexpr (std::is_same_v<Priority, BitPriority>)
        return Element<C>(SingleClass<C>::id(), Singles<C>::make(pe_, priority, std::forward<A>(arguments)...));
      else
        return Element<C>(SingleClass<C>::id(), Singles<C>::make(pe_, to, priority, std::forward<A>(arguments)...));
    }
  }
  void check_pe(PeId pe) const;
  void check_map(Shape shape, Map map) const;

  Call<CollectionId, CollectionId> new_collection();
  /// Not all of an array could be made.
  void end_failed(CollectionId id);

  template <class T>
  friend class ReadOnly;
  Pe& pe_;
};

/// The run as the calling PE sees it.
Runtime this_runtime();

}  // namespace kaon::chares
