// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "kaon/gpu/device/carrier.hpp"
#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/resident/host/device_flag.hpp"
#include "kaon/gpu/resident/host/pending_calls.hpp"
#include "kaon/gpu/resident/host/resident_group.hpp"
#include "kaon/gpu/resident/host/resident_launches.hpp"
#include "kaon/gpu/resident/host/resident_objects.hpp"
#include "kaon/gpu/resident/host/resident_tasks.hpp"

namespace kaon::gpu {

/// A function of the host that entries of a device tell something.
class NoticeTarget {
 public:
  virtual ~NoticeTarget() = default;
  virtual void take(const std::uint32_t* values) = 0;
};

/// The part of a scheduler that depends on the program's entries.
struct ResidentProgram {
  void (*launch)(Stream& stream, const Grid& grid, const ResidentView& view);
  const char* (*type_of)(std::uint32_t entry);                // as typeid names it
  const char* (*object_of)(std::uint32_t entry);              // the same of the objects whose entry it is
  unsigned (*most_blocks)(Device& device, unsigned threads);  // that run at once
  unsigned most_threads;                                      // of a block, as the entries are compiled
  bool has_warps;                                             // objects of warp size
  bool has_lockable;                                          // objects that the host may lock
  bool (*is_urgent)(std::uint32_t entry);                     // nullptr: none is
};

/// For an object that was to be of `parts` workers from `first` on, where there are so many, all blocks or all warps.
[[noreturn]] void throw_no_such_workers(std::uint32_t first, std::uint32_t parts, std::uint32_t workers,
                                        bool are_warps);
/// The device of this PE.
Device& resident_device();
/// The most workers of this PE, or of all PEs of the process together, when so many blocks run at once on its device.
unsigned most_resident_workers(unsigned blocks_at_once);
unsigned most_resident_workers_by_process(unsigned blocks_at_once);

/// The host's half of a kernel that runs on and executes entries: it gives tasks to workers, takes their notices, and
/// starts the kernel again when it has parked and something comes. One PE's, used by its thread alone; nothing here
/// waits for the device.
class ResidentScheduler final : public DeviceWatch {
 public:
  /// Makes one for this PE's device, which keeps it until all work is done. Throws UsageError for invalid options.
  static std::shared_ptr<ResidentScheduler> make(const ResidentOptions& options, const ResidentProgram& program);
  /// The same, of the group: that of this PE, its owner's or a guest's; made now where it has none. The options of the
  /// first PE count. It goes on to the end of the run, parked when there is nothing to do.
  static std::shared_ptr<ResidentScheduler> join(std::shared_ptr<ResidentGroup> group, const ResidentOptions& options,
                                                 const ResidentProgram& program);
  /// One that has the kernel: `guests`, when it is that of a group. One that is a guest of a group.
  ResidentScheduler(const ResidentOptions& options, const ResidentProgram& program, std::uint32_t guests);
  ResidentScheduler(const ResidentGroup& group, const ResidentProgram& program);
  ~ResidentScheduler() override;
  ResidentScheduler(const ResidentScheduler&) = delete;
  ResidentScheduler& operator=(const ResidentScheduler&) = delete;

  /// The launches of the kernel, and its stream. Throws UsageError for a guest, which has none; `what`: the call that
  /// it must not make.
  ResidentLaunches& launches(const char* what);
  ResidentObjects& objects() { return objects_; }
  const ResidentOptions& options() const { return options_; }
  /// Where its part of so many workers begins.
  std::uint32_t part_of(std::uint32_t workers) const { return number_ * workers / (view_.guest_count + 1); }
  /// Puts a task into the ring; behind those that wait when it is full. `serial`: as its object has it. Throws
  /// UsageError.
  void send(std::uint32_t serial, const Command& command);
  /// Raises a flag in the device's memory, in the order of the sends.
  void raise(FlagWord flag, std::uint32_t by);
  /// The same for a program. Throws UsageError.
  void raise(const DeviceFlag& flag, std::uint32_t by);
  /// Nobody needs it any more: what it has been given is done, but nobody is told, and calls fail.
  void retire();
  ResidentTasks& tasks() { return tasks_; }
  /// Sends what ends a lock, unless nothing runs any more.
  void unlock(const Command& command) noexcept;
  PendingCalls& calls() { return calls_; }
  const ResidentView& view() const { return view_; }
  /// Others may write into its memory from here on: it stays to the end of the run.
  void keep() { is_kept_ = true; }
  /// The number of a peer that is about to be connected.
  std::uint32_t add_peer();
  /// A flag in memory of objects().
  ResidentFlag& add_flag(FlagWord word) { return flags_.emplace_back(*this, device_.pe(), expected_, word); }
  std::uint32_t add_target(std::unique_ptr<NoticeTarget> target);

  /// Throws UsageError when nobody has it any more, who waits for what was being made.
  void require_wanted(const char* what) const;

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override;
  bool is_over() const override;
  bool is_running() const override;
  bool are_counts_fresh(std::uint32_t wave) override;
  void name_fault(const GpuError& error) const override;
  void stop() override;

 private:
  /// Copies for engines by the kernel.
  class KernelCarrier final : public Carrier {
   public:
    explicit KernelCarrier(ResidentScheduler& scheduler) : scheduler_(scheduler) {}
    std::uint32_t carry(const Cargo& cargo) override;
    bool has_carried(std::uint32_t number) const override;
    void release() noexcept override { --scheduler_.expected_; }

   private:
    ResidentScheduler& scheduler_;
    std::uint32_t cargoes_ = 0;
  };
  struct Deliver : Work {
    ResidentScheduler* scheduler;
    bool is_queued = false;
    bool is_running = false;
  };
  /// The task that a worker of an emulation runs, as ResidentView::running has it.
  struct Watched {
    std::uint32_t running = 0;
    std::chrono::steady_clock::time_point since;
  };
  void begin();
  void require_own_pe() const;
  bool is_guest() const { return number_ != member::kOwner; }
  bool has_urgent() const { return program_.is_urgent != nullptr; }
  void give(const Command& command);
  void launch();
  void launch_for_others();
  bool put_waiting() { return tasks_.put(view_, number_, has_urgent()); }
  bool note_end();
  bool has_left_some() const;
  void throw_fault() const;
  void look_for_fault();
  void watch_emulation();
  [[noreturn]] void throw_endless(std::uint32_t entry) const;
  std::string names_of_running() const;
  void deliver();
  void drop_notices();
  bool must_drop() const;
  void drop_targets();
  void come_back();
  bool take_notice(Command& notice);
  void tell(const Command& notice);
  bool has_notices() const;
  bool is_quiet() const;
  bool is_all_finished() const;
  bool is_awake() const;
  void set_busy(bool is_busy);
  void count_traffic();

  Device& device_;
  const ResidentOptions options_;
  const ResidentProgram program_;
  std::shared_ptr<ResidentGroup> group_;  // of all its members, on threads of theirs; nullptr: it is alone
  std::uint32_t number_ = member::kOwner;
  std::unique_ptr<ResidentLaunches> launches_;  // nullptr: those of the owner
  const ResidentView view_;
  ResidentObjects objects_;
  std::deque<ResidentFlag> flags_;
  KernelCarrier carrier_{*this};
  ResidentTasks tasks_;
  std::vector<std::unique_ptr<NoticeTarget>> targets_;
  std::size_t gone_targets_ = 0, dropped_targets_ = 0;  // the first ones, when nobody has had the scheduler meanwhile
  PendingCalls calls_;
  std::vector<Watched> watched_;
  Deliver deliver_;
  std::uint32_t expected_ = 0;  // payloads that will raise flags, or are carried
  std::uint32_t notices_taken_ = 0;
  std::uint32_t peers_ = 0;
  std::uint32_t asked_ = 0;       // of the device, see are_counts_fresh()
  std::uint32_t idle_looks_ = 0;  // since something has happened
  std::uint64_t traffic_ = 0;     // of peers, what of it was counted: as made what was sent, as done what was taken
  bool is_kept_ = false;          // as peers may send to it, or guests
  bool is_retired_ = false;
  bool is_stopped_ = false;  // nothing is launched any more
  bool is_busy_ = false;     // something is under way, and counted as made
};

}  // namespace kaon::gpu
