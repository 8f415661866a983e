// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/device_entry.hpp"

namespace kaon::gpu {

/// How tasks and notices leave a worker. By any thread of its block.
template <class Words>
class WorkerOutput {
 public:
  KAON_DEVICE WorkerOutput(const ResidentView& view, std::uint32_t worker) : view_(view), worker_(worker) {}

  KAON_DEVICE void send(std::uint32_t to, const Command& command) const {
    Words::add_relaxed(&view_.shared->activity, std::uint64_t{1} << 32);
    if (!try_send(to, command)) hold(to, command);
  }
  /// False: the ring is full.
  KAON_DEVICE bool try_send(std::uint32_t to, const Command& command) const {
    const CommandRing ring = view_.from_device(to);
    std::uint32_t position = 0;
    if (!ring.take_position<Words>(&view_.workers[to].tail, position)) return false;
    ring.put<Words>(position, command);
    return true;
  }
  /// False: the host has not taken what it was told before.
  KAON_DEVICE bool try_tell(const Command& command) const {
    const CommandRing ring = view_.to_host();
    std::uint32_t position = 0;
    if (!ring.take_position<Words>(&view_.shared->notices, position)) return false;
    ring.put<Words>(position, command);
    return true;
  }
  KAON_DEVICE bool can_tell() const {
    return view_.to_host().has_room<Words>(Words::load(&view_.shared->notices, Scope::device));
  }
  KAON_DEVICE void fail(ResidentFault fault, std::uint32_t entry) const {
    Words::store(&view_.host->faulty_entry, entry, Scope::system);
    Words::store(&view_.host->fault, static_cast<std::uint32_t>(fault), Scope::system);
  }
  KAON_DEVICE std::uint32_t held() const { return Words::load(&view_.workers[worker_].held, Scope::device); }

  KAON_DEVICE const ResidentView& view() const { return view_; }
  KAON_DEVICE std::uint32_t worker() const { return worker_; }

 private:
  KAON_DEVICE void hold(std::uint32_t to, const Command& command) const {
    const std::uint32_t place = Words::add(&view_.workers[worker_].held, 1);
    if (place >= view_.held_capacity) return fail(ResidentFault::held_too_many, command.words[task::kEntry]);
    view_.held[std::size_t{worker_} * view_.held_capacity + place] = {command, to};
  }

  const ResidentView& view_;
  std::uint32_t worker_;
};

/// Waits while the ring to the host is full.
template <class Context, class Words>
KAON_DEVICE void tell_host(Context& at, const WorkerOutput<Words>& output, const Command& command) {
  while (!output.try_tell(command)) {
    const std::uint64_t end = Words::nanoseconds() + output.view().patience_ns;
    const bool has_room = at.template find<bool>([&](unsigned looks, bool& is_there) {
      is_there = output.can_tell();
      return is_there || (looks % 256 == 0 && Words::nanoseconds() > end);
    });
    if (!has_room) return output.fail(ResidentFault::host_does_not_take, command.words[notice::kTarget]);
  }
}

/// What an entry of a device sees: the context of a kernel of one block, and what it can send. `lane()` of `lanes()` is
/// this thread among those that run the entry.
template <class Entries, class Object, class Context>
class EntryContext : public Context {
 public:
  using Words = typename Context::Words;
  KAON_DEVICE EntryContext(const Context& context, const WorkerOutput<Words>& output, Object* object)
      : Context(context), output_(output), object_(object) {}

  KAON_DEVICE std::size_t lane() const { return this->threads().number(this->thread()); }
  KAON_DEVICE std::size_t lanes() const { return this->threads().volume(); }
  KAON_DEVICE DeviceObject<Object> self() const { return {object_, output_.worker()}; }

  /// Sends an entry to an object of this device. By one thread; what that has written, and others of the block before
  /// an at.sync(), is seen by the entry.
  template <class Entry>
  KAON_DEVICE void send(const DeviceObject<typename Entry::Object>& to, const Entry& entry) {
    output_.send(to.worker, task_of(Entries::template number_of<Entry>(), to, entry, task::kNoReply));
  }
  /// Tells a function of the host. By one thread, as send(). Waits when the host has not taken what it was told before.
  template <class... Values>
  KAON_DEVICE void tell(const HostTarget<Values...>& target, const std::type_identity_t<Values>&... values) {
    static_assert(kWordsOf<Values...> <= Command::kWords - notice::kValues,
                  "a target on the host is told 40 bytes at most");
    Command command{};
    command.words[notice::kTarget] = target.number;
    std::uint32_t* words = &command.words[notice::kValues];
    (write_value(words, values), ...);
    (void)words;
    tell_host(*this, output_, command);
  }
  /// Whether rings are full: who could also do itself what it is about to send, should.
  KAON_DEVICE bool is_crowded() const { return output_.held() > 0; }

 private:
  const WorkerOutput<Words>& output_;
  Object* object_;
};

}  // namespace kaon::gpu
