// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "kaon/gpu/kernels/host_warp.hpp"
#include "kaon/gpu/resident/device/resident_kernel.hpp"
#include "kaon/gpu/resident/host/device_call.hpp"
#include "kaon/gpu/resident/host/entry_checks.hpp"
#include "kaon/gpu/resident/host/object_lock.hpp"
#include "kaon/gpu/resident/host/resident_link.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/gpu/resident/wire/entry_traits.hpp"
#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::gpu {

/// The wait until all tasks of a PE are in the rings of its device.
class TaskRoom {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  explicit TaskRoom(std::shared_ptr<ResidentScheduler> scheduler) : scheduler_(std::move(scheduler)) {}
  bool is_ready() const { return scheduler_->tasks().waiting() == 0; }
  bool start(Waiter& waiter) {
    scheduler_->tasks().await_room(waiter);
    return false;
  }
  void give_up(Waiter& waiter) noexcept { scheduler_->tasks().forget_waiter(waiter); }
  void take() const noexcept {}
  std::string describe() const { return "for a resident kernel to take what was sent to it"; }

 private:
  std::shared_ptr<ResidentScheduler> scheduler_;
};

/// A resident kernel of this PE's device, which runs the entries of `Entries` (device_entry.hpp) for objects that lie
/// in the device's memory: they are run when their arguments are there, without a launch. Of the PE that makes it.
template <class Entries>
class Resident {
  static_assert(are_fit(static_cast<const Entries*>(nullptr)));

 public:
  explicit Resident(const ResidentOptions& options = {}) : Resident(ResidentScheduler::make(options, program())) {}
  /// The one of these entries that chares of this PE share, made by the first of them, whose options count; it ends
  /// with the last that has it.
  static std::shared_ptr<Resident> shared(const ResidentOptions& options = {}) {
    return resident_device().shared<Resident>(options);
  }
  /// The one of these entries that the PEs of this process share which have this device, with one kernel: made by the
  /// first of them, whose options count. What one of them has made, any of them sends to, calls and locks; what entries
  /// return and tell goes to the PE that has called, or that has made the target.
  static std::shared_ptr<Resident> shared_by_process(const ResidentOptions& options = {});
  /// How many workers such a one has at most: those of all PEs.
  static unsigned most_workers_by_process(unsigned threads) {
    return most_resident_workers_by_process(most_blocks(resident_device(), threads));
  }
  /// How many workers of so many threads run at once on the device, by this PE's share of it: one that is not alone on
  /// its device leaves room for the others.
  static unsigned most_workers(unsigned threads) {
    return most_resident_workers(most_blocks(resident_device(), threads));
  }
  /// Tasks already sent are still done. No function is told any more, and calls that wait fail with a UsageError.
  ~Resident() { scheduler_->retire(); }
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  /// An object on the device, as a copy of `object`; it stays until the scheduler ends. Workers get them in turns.
  template <class Object>
  Task<DeviceObject<Object>> make(Object object) {
    return make_gang(1, object);
  }
  /// One whose entries run on `parts` workers side by side.
  template <class Object>
  Task<DeviceObject<Object>> make_gang(std::uint32_t parts, Object object) {
    const std::uint32_t workers = workers_for<Object>();
    if (parts == 0 || parts > workers) return make_on(0, object, parts);  // which refuses it
    std::uint32_t& next = is_warp_sized<Object>() ? next_warp_ : next_worker_;
    if (parts > workers - next) next = 0;
    const std::uint32_t first = next;
    next += parts;
    return make_on(first, object, parts);
  }
  /// Run by this worker, or by `parts` of them from this one on: of those that are blocks, or, for an object of warp
  /// size, of those that are warps.
  template <class Object>
  Task<DeviceObject<Object>> make_on(std::uint32_t worker, Object object, std::uint32_t parts = 1) {
    static_assert(std::is_trivially_copyable_v<Object>,
                  "an object of a device is copied there as it is, so it must be trivially copyable");
    const std::uint32_t workers = workers_for<Object>();
    if (parts == 0 || parts > workers || worker > workers - parts)
      throw_no_such_workers(worker, parts, workers, is_warp_sized<Object>());
    const std::shared_ptr<ResidentScheduler> scheduler = scheduler_;  // `this` may end while it waits
    const std::uint32_t first = first_for<Object>() + worker;
    const Pinned<Object> source(1, copies_);
    source[0] = object;
    auto& memory = scheduler->objects().add(sizeof(Object), copies_);
    const Span<Object> place(reinterpret_cast<Object*>(memory.data()), 1);
    copies_.copy(place, source);
    co_await copies_.drained();
    scheduler->objects().settle(memory.memory());
    scheduler->require_wanted("an object");
    co_return DeviceObject<Object>{place.data(), task::workers(first, parts), scheduler->view().serial};
  }
  /// Sends an entry, as a device does. In the order of the sends of this PE, for one object.
  template <class Object, class Entry>
  void send(const DeviceObject<Object>& to, const Entry& entry) {
    check_entry<Object, Entry>();
    scheduler_->send(to.scheduler, to_command(task_of(Entries::template number_of<Entry>(), to, entry)));
  }
  /// The same; gives what the entry returns, when it has run: of a gang what its first part returns, when all have.
  template <class Object, class Entry>
  auto call(const DeviceObject<Object>& to, const Entry& entry) {
    check_entry<Object, Entry>();
    using Value = decltype(value_of<Entry>());
    static_assert(std::is_void_v<Value> || FitsCommand<Value>,
                  "what an entry of a device returns is trivially copyable, and 32 bytes at most");
    return Awaitable<DeviceCall<Value>>(scheduler_, to.scheduler,
                                        task_of(Entries::template number_of<Entry>(), to, entry), typeid(Entry).name());
  }
  /// The object for the host alone: when it has the lock, what was sent to the object before has run, no entry of it
  /// runs, and those sent afterwards wait, in their order, until the lock ends. So do other locks of it. Of a gang all
  /// parts stop, each between two of its entries.
  template <class Object>
  Awaitable<LockCall> lock(const DeviceObject<Object>& object) {
    static_assert(is_lockable<Object>(),
                  "lock(object): objects of this class say static constexpr bool kIsLockable = true");
    static_assert(!is_constant<Object>(),
                  "lock(object): one that is kIsConstant does not change, and workers keep copies of it");
    const LockCommand lock{{task::kLock | object.workers},
                           WireAddress<void>::of(object.object),
                           task::kNoReply,
                           scheduler_->calls().next_lock()};
    return Awaitable<LockCall>(scheduler_, object.scheduler, lock, typeid(Object).name());
  }
  /// `co_await resident.ready()`: waits while tasks that this PE has sent find the rings full, so that who sends more
  /// than the device takes waits for it.
  Awaitable<TaskRoom> ready() const { return Awaitable<TaskRoom>(scheduler_); }
  /// A flag for entries to wait for.
  Task<DeviceFlag> make_flag() {
    const std::shared_ptr<ResidentScheduler> scheduler = scheduler_;  // `this` may end while it waits
    auto& memory = scheduler->objects().add(sizeof(std::uint32_t), copies_);
    copies_.fill(memory.span(), 0);
    co_await copies_.drained();
    scheduler->objects().settle(memory.memory());
    scheduler->require_wanted("a flag");
    co_return DeviceFlag(scheduler, scheduler->add_flag({reinterpret_cast<std::uint32_t*>(memory.data())}));
  }
  /// Raises it for the device's entries, behind what was sent before.
  void raise(const DeviceFlag& flag, std::uint32_t by = 1) { scheduler_->raise(flag, by); }
  /// For the resident scheduler of another PE of this host, of the same entries: see ResidentLink. One that has made a
  /// link goes on to the end of the run, also when nobody has it any more; one that is connected does not park.
  Task<ResidentLink> make_link() {
    static_assert(Entries::kHavePeers,
                  "make_link(): a scheduler of DeviceEntries<...> has no peers; list its entries as "
                  "DeviceEntriesWithPeers<...>");
    return ResidentLink::make(scheduler_, copies_, typeid(Entries).hash_code(), Entries::kHaveUrgent);
  }
  /// Connects it with the side whose offer this is: its objects are named by ResidentPeer::object() from then on.
  Task<ResidentPeer> connect(ResidentLink& link, ResidentOffer theirs) {
    static_assert(Entries::kHavePeers,
                  "connect(): a scheduler of DeviceEntries<...> has no peers; list its entries as "
                  "DeviceEntriesWithPeers<...>");
    return link.connect(copies_, std::move(theirs));
  }
  /// Lets entries call `function(values...)` on this PE, between its entries, by at.tell(target, values...).
  template <class... Values, class Function>
  HostTarget<Values...> on_host(Function function) {
    static_assert(kWordsOf<Values...> <= notice::kMostValues, "a target on the host is told 40 bytes at most");
    static_assert(std::is_void_v<std::invoke_result_t<Function&, Values...>>,
                  "on_host(function): it returns nothing; let it send to an entry that is a Task");
    return {scheduler_->add_target(std::make_unique<FunctionTarget<Function, Values...>>(std::move(function)))};
  }
  /// Tasks that wait on the host because rings are full.
  std::size_t waiting() const { return scheduler_->tasks().waiting(); }
  const ResidentOptions& options() const { return scheduler_->options(); }
  /// Behind all of it: buffers that entries use are moved here (`buffer.move_to(resident.stream())`), to be freed after
  /// the last of them. Of a shared_by_process(), keep() does that on any PE.
  Stream& stream() { return scheduler_->launches("stream()").stream(); }
  /// Has a buffer that entries use until none of them does.
  template <class T>
  void keep(Buffer<T> buffer) {
    scheduler_->objects().keep(std::move(buffer.memory()));
  }

 protected:
  /// PEs that share one begin with different workers.
  explicit Resident(std::shared_ptr<ResidentScheduler> scheduler)
      : scheduler_(std::move(scheduler)),
        next_worker_(scheduler_->part_of(options().workers)),
        next_warp_(scheduler_->part_of(options().warps())) {}
  static ResidentProgram program() {
    return {&launch,
            &Entries::type_of,
            &Entries::object_of,
            &most_blocks,
            Entries::kMostThreads,
            Entries::kHaveWarps,
            Entries::kHaveLockable,
            Entries::kHaveUrgent ? &Entries::is_urgent_one : nullptr};
  }

 private:
  /// How many there are that may have such an object.
  template <class Object>
  std::uint32_t workers_for() const {
    return is_warp_sized<Object>() ? options().warps() : options().workers;
  }
  template <class Object>
  std::uint32_t first_for() const {
    return is_warp_sized<Object>() ? options().workers : 0;
  }
  template <class Function, class... Values>
  class FunctionTarget final : public NoticeTarget {
   public:
    explicit FunctionTarget(Function function) : function_(std::move(function)) {}
    void take([[maybe_unused]] const std::uint32_t* words) override {
      std::tuple<Values...> values{read_value<Values>(words)...};  // in braces: from left to right
      std::apply(function_, values);
    }

   private:
    Function function_;
  };
  template <class Entry>
  static auto value_of() -> decltype(std::declval<const Entry&>()(
      std::declval<EntryContext<Entries, typename Entry::Object,
                                std::conditional_t<is_warp_sized<typename Entry::Object>(), HostWarp, HostThread>>&>(),
      std::declval<std::conditional_t<is_constant<typename Entry::Object>(), const typename Entry::Object,
                                      typename Entry::Object>&>()));
  static unsigned most_blocks(Device& device, unsigned threads) {
    device.driver().make_current(device.number());
    return most_blocks_at_once<ResidentKernel<Entries>>(device.driver().backend(),
                                                        device.card().description().processors, threads);
  }
  static void launch(Stream& stream, const Grid& grid, const ResidentView& view) {
    stream.launch(grid, ResidentKernel<Entries>{view});
  }

  std::shared_ptr<ResidentScheduler> scheduler_;
  Stream copies_;
  std::uint32_t next_worker_ = 0, next_warp_ = 0;
};

/// One PE's view of the scheduler that PEs of a process share; the entries identify the group.
template <class Entries>
class ResidentOfProcess final : public Resident<Entries> {
  struct Group : ResidentGroup {};

 public:
  explicit ResidentOfProcess(const ResidentOptions& options)
      : Resident<Entries>(ResidentScheduler::join(resident_device().card().template shared<Group>(), options,
                                                  Resident<Entries>::program())) {}
};

template <class Entries>
std::shared_ptr<Resident<Entries>> Resident<Entries>::shared_by_process(const ResidentOptions& options) {
  static_assert(Entries::kHaveGuests,
                "shared_by_process(): DeviceEntries<...> are of one PE; list them as DeviceEntriesWithGuests<...>");
  if constexpr (Entries::kHaveGuests) return resident_device().shared<ResidentOfProcess<Entries>>(options);
}

}  // namespace kaon::gpu
