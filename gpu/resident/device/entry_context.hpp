// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/device/worker_output.hpp"
#include "kaon/gpu/resident/wire/commands.hpp"
#include "kaon/gpu/resident/wire/device_entry.hpp"

namespace kaon::gpu {

/// Waits while the ring to that member of the host is full. At the end of a run one that has guests waits no longer:
/// some of its PEs take nothing more while others have not ended.
template <class Context, class Output>
KAON_DEVICE void tell_host(Context& at, const Output& output, std::uint32_t member, const Command& command) {
  using Words = typename Context::Words;
  const std::uint32_t position = output.next_notice(member);
  if (output.tell_at_once(member, position, command)) return;
  const std::uint64_t end = Words::nanoseconds() + output.view().patience_ns;
  const bool has_room = at.template find<bool>([&](unsigned looks, bool& is_there) {
    is_there = output.can_tell(member, position);
    return is_there || output.has_failed() || output.may_drop_notices() ||
           (looks % 256 == 0 && Words::nanoseconds() > end);
  });
  if (output.has_failed() || (!has_room && output.may_drop_notices())) return;
  if (!has_room) return output.fail(ResidentFault::host_does_not_take, member);
  output.tell(member, position, command);
}

/// The context of an entry of a device: that of a kernel of one block, and functions to send. `lane()` of `lanes()` is
/// this thread among those that run the entry.
template <class Entries, class Object, class Context>
class EntryContext : public Context {
 public:
  using Words = typename Context::Words;
  using Output = WorkerOutput<Entries, Context>;
  KAON_DEVICE EntryContext(const Context& context, const Output& output, Object* object)
      : Context(context), output_(output), object_(object) {}

  /// Threads of a warp; 1 in the emulation.
  static constexpr unsigned kWarpLanes = Words::kWarpLanes;
  KAON_DEVICE unsigned lane() const { return this->thread().x; }
  KAON_DEVICE unsigned lanes() const { return this->threads().x; }
  /// The warp of this thread among those that run the entry, and the thread's place in it.
  KAON_DEVICE unsigned warp() const { return lane() / kWarpLanes; }
  KAON_DEVICE unsigned warps() const { return lanes() / kWarpLanes; }
  KAON_DEVICE unsigned warp_lane() const { return lane() % kWarpLanes; }
  /// The part of a gang that this worker is, and the number of parts; else 0 of 1. Parts do not wait for each other:
  /// one may have begun the next entry while another still runs this one.
  KAON_DEVICE std::uint32_t part() const { return output_.worker() - head_of(output_.running()).first_worker(); }
  KAON_DEVICE std::uint32_t parts() const { return head_of(output_.running()).parts(); }
  KAON_DEVICE DeviceObject<Object> self() const {
    return {object_, task::workers(head_of(output_.running()).first_worker(), parts()), output_.view().serial};
  }

  template <class Nothing = void>
  KAON_DEVICE void sync_grid() {
    static_assert(!std::is_void_v<Nothing>,
                  "at.sync_grid(): an entry of a device cannot wait for all blocks of its kernel, which run other "
                  "entries: let it go on by at.when(), behind flags");
  }
  /// Sends an entry to an object of this device. By one thread; what that has written, and others of the block before
  /// an at.sync(), is seen by the entry.
  template <class Target, class Entry>
  KAON_DEVICE void send(const DeviceObject<Target>& to, const Entry& entry) {
    check_entry<Target, Entry>();
    output_.send(to.scheduler, to_command(task_of(Entries::template number_of<Entry>(), to, entry)));
  }
  /// Goes on with an entry of this object when all the flags have grown `times` times, as AwaitedFlag says: whoever
  /// called this entry gets what that one returns. By one thread; of a gang each part, for itself.
  template <class Entry>
  KAON_DEVICE void when(const AwaitedFlags& flags, std::uint32_t times, const Entry& entry) {
    static_assert(std::is_same_v<typename Entry::Object, Object>, "at.when(): it is an entry of the same object");
    static_assert(Entries::kHaveAwaiting,
                  "at.when(): an entry that calls it says static constexpr bool kAwaitsFlags = true");
    output_.await(task_of(Entries::template number_of<Entry>(), self(), entry), flags, times);
  }
  /// The same of one flag.
  template <class Entry>
  KAON_DEVICE void when(const AwaitedFlag& flag, std::uint32_t times, const Entry& entry) {
    when(AwaitedFlags{&flag, 1}, times, entry);  // few flags are copied
  }
  /// Tells a function of the host. By one thread, as send(). Waits when the host has not taken what it was told before.
  template <class... Values>
  KAON_DEVICE void tell(const HostTarget<Values...>& target, const std::type_identity_t<Values>&... values) {
    static_assert(kWordsOf<Values...> <= notice::kMostValues, "a target on the host is told 40 bytes at most");
    TargetNotice told{target.number};
    std::uint32_t* words = told.values;
    (write_value(words, values), ...);
    (void)words;
    tell_host(*this, output_, output_.member_of_target(target.number), to_command(told));
  }
  /// True if tasks that this worker has sent wait for room: then do the next task here, if possible, not by send().
  KAON_DEVICE bool is_crowded() const { return output_.is_holding(); }

 private:
  const Output& output_;
  Object* object_;
};

}  // namespace kaon::gpu
