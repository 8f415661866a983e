// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/wire/awaited_flag.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"

namespace kaon::gpu {

/// A task that waits until all of its flags have grown `times` times. Uninitialised.
struct AwaitingTask {
  struct Flag {
    const std::uint32_t* word;
    std::uint32_t each;
    Scope scope;
  };
  KAON_DEVICE static Flag flag_of(const AwaitedFlag& awaited) {
    return {awaited.flag.word, awaited.each, awaited.scope};
  }
  Command command;
  Flag copied[AwaitedFlags::kCopied];
  const AwaitedFlag* flags;
  std::uint32_t count;
  std::uint32_t times;

  KAON_DEVICE Flag flag(std::uint32_t i) const {
    return count <= AwaitedFlags::kCopied ? copied[i] : flag_of(flags[i]);
  }
};

/// Those of one worker, in memory that its block shares: few, where each warp of the block is a worker.
template <bool of_a_warp>
struct AwaitingTasks {
  static constexpr std::uint32_t kMost = of_a_warp ? 4 : 32, kNone = ~0U;
  AwaitingTask tasks[kMost];
  std::uint32_t count;
  std::uint32_t next;  // where to look first, so that none is passed over for ever
  KAON_DEVICE void clear() { count = next = 0; }
};

/// How the first warp of a worker looks at them. All threads of the warp call each function but add().
template <class Words, class Tasks>
class AwaitingLooks {
 public:
  /// `acquires`: with each look, and not once more when all are reached, which takes longer. It empties the cache of
  /// the multiprocessor, which others than this worker may need.
  KAON_DEVICE AwaitingLooks(Tasks& waiting, bool acquires) : waiting_(waiting), acquires_(acquires) {}

  /// By one thread, of whichever warp. False: there is no room.
  KAON_DEVICE bool add(const Command& command, const AwaitedFlags& flags, std::uint32_t times) const {
    if (waiting_.count == Tasks::kMost) return false;
    AwaitingTask& task = waiting_.tasks[waiting_.count++];
    task.command = command;
    task.flags = flags.flags;
    task.count = flags.count;
    task.times = times;
    for (std::uint32_t i = 0; i < flags.count && i < AwaitedFlags::kCopied; ++i)
      task.copied[i] = AwaitingTask::flag_of(flags.flags[i]);
    return true;
  }
  /// The place of one whose flags are all reached, or kNone. Several tasks are looked at together, each by some lanes.
  KAON_DEVICE std::uint32_t find_ready() const {
    constexpr unsigned group = kLanesOfATask, groups = Words::kWarpLanes / group;
    const unsigned mine = Words::lane() / group;
    const std::uint32_t count = waiting_.count;
    for (std::uint32_t first = 0; first < count; first += groups) {
      const bool is_mine = first + mine < count;
      const std::uint64_t ready =
          Words::which(is_mine && are_reached(waiting_.tasks[place(first + mine)], Words::lane() % group, group));
      for (unsigned g = 0; g < groups && first + g < count; ++g)
        if ((~(ready >> (g * group)) & ((std::uint64_t{1} << group) - 1)) == 0) return place(first + g);
    }
    return Tasks::kNone;
  }
  /// Copies the command of a ready one to memory that the block shares; what was written before its flags were raised
  /// is seen from here on.
  KAON_DEVICE void take(std::uint32_t from, Command& command) const {
    const AwaitingTask& task = waiting_.tasks[from];
    for (std::uint32_t i = Words::lane(); i < task.count && !acquires_; i += Words::kWarpLanes) {
      const AwaitingTask::Flag flag = task.flag(i);
      static_cast<void>(Words::load(flag.word, flag.scope));
    }
    for (unsigned i = Words::lane(); i < Command::kWords; i += Words::kWarpLanes)
      command.words[i] = task.command.words[i];
    Words::sync_warp();
    remove(from);
  }
  KAON_DEVICE bool is_empty() const { return waiting_.count == 0; }
  /// Those that are ready had better go first.
  KAON_DEVICE bool is_crowded() const { return waiting_.count > Tasks::kMost / 2; }

  struct Missing {
    std::uint32_t entry, flag, has, wanted;
  };
  /// A flag that one of them waits for.
  KAON_DEVICE Missing missing() const {
    const AwaitingTask& task = waiting_.tasks[0];
    std::uint32_t i = 0;
    while (i + 1 < task.count && is_reached(task, i)) ++i;
    const AwaitingTask::Flag flag = task.flag(i);
    return {head_of(task.command).entry(), i, Words::peek(flag.word), flag.each * task.times};
  }

 private:
  static constexpr unsigned kLanesOfATask = Words::kWarpLanes < 8 ? Words::kWarpLanes : 8;
  KAON_DEVICE std::uint32_t place(std::uint32_t i) const {
    const std::uint32_t at = waiting_.next + i;
    return at < waiting_.count ? at : at - waiting_.count;
  }
  KAON_DEVICE bool is_reached(const AwaitingTask& task, std::uint32_t i) const {
    const AwaitingTask::Flag flag = task.flag(i);
    const std::uint32_t value = acquires_ ? Words::load(flag.word, flag.scope) : Words::peek(flag.word);
    return FlagWord::is_reached(value, flag.each * task.times);
  }
  /// Those of its flags that this lane looks at.
  KAON_DEVICE bool are_reached(const AwaitingTask& task, unsigned lane, unsigned lanes) const {
    bool are = true;
    for (std::uint32_t i = lane; i < task.count; i += lanes) are &= is_reached(task, i);
    return are;
  }
  /// The last one takes its place.
  KAON_DEVICE void remove(std::uint32_t from) const {
    const std::uint32_t last = waiting_.count - 1;
    auto* const to = reinterpret_cast<std::uint32_t*>(&waiting_.tasks[from]);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(&waiting_.tasks[last]);
    for (unsigned i = Words::lane(); i < sizeof(AwaitingTask) / sizeof *to && from != last; i += Words::kWarpLanes)
      to[i] = words[i];
    Words::sync_warp();
    if (Words::lane() == 0) waiting_.count = last, waiting_.next = from < last ? from : 0;
    Words::sync_warp();
  }

  Tasks& waiting_;
  bool acquires_;
};

/// Stand in their places where no entry of the list says that it waits for flags, and cost nothing.
struct NoAwaitingTasks {
  static constexpr std::uint32_t kNone = ~0U;
  KAON_DEVICE void clear() {}
};
struct NoAwaitingLooks {
  KAON_DEVICE NoAwaitingLooks(NoAwaitingTasks&, bool) {}
  KAON_DEVICE std::uint32_t find_ready() const { return NoAwaitingTasks::kNone; }
  KAON_DEVICE void take(std::uint32_t, Command&) const {}
  KAON_DEVICE bool is_empty() const { return true; }
  KAON_DEVICE bool is_crowded() const { return false; }
};

template <class Entries, bool of_a_warp>
using AwaitingTasksOf = std::conditional_t<Entries::kHaveAwaiting, AwaitingTasks<of_a_warp>, NoAwaitingTasks>;
template <class Entries, class Words, bool of_a_warp>
using AwaitingLooksOf =
    std::conditional_t<Entries::kHaveAwaiting, AwaitingLooks<Words, AwaitingTasks<of_a_warp>>, NoAwaitingLooks>;

}  // namespace kaon::gpu
