// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "kaon/ampi_shim/ranks/fibre.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::ampi {

class Rank;
class Strand;

/// A strand that waits: on its stack while it does.
class StackWaiter : public Waiter {
 public:
  StackWaiter(const WaitKind& kind, Strand& strand, void (*give_up)(StackWaiter&) noexcept)
      : Waiter(kind), strand_(strand), give_up_(give_up) {}

  /// The wait is over: the strand goes on behind what is ready now. For those who learn of it while another one runs.
  void make_ready();

 protected:
  ~StackWaiter() = default;
  bool waits_in_operation() const;
  /// Ends the run.
  [[noreturn]] void refuse(const std::string& wait) const;
  void begin();
  void suspend();

 private:
  friend class Strand;
  static void resumed(Work& self, Pe& pe);

  Strand& strand_;
  void (*give_up_)(StackWaiter&) noexcept;
};

/// An Operation as Awaitable has it (runtime/work/awaitable.hpp), with a strand that waits for it by the same steps.
template <class Operation>
class StackWait final : public StackWaiter {
 public:
  StackWait(Strand& strand, Operation& operation) : StackWaiter(kKind, strand, &give_up), operation_(operation) {}

  void await() {
    if (!Operation::kIsFromOutside && waits_in_operation()) [[unlikely]]
      refuse(operation_.describe());
    begin();
    if (start(operation_)) suspend();
  }

 private:
  static std::string describe(const Waiter& self) { return static_cast<const StackWait&>(self).operation_.describe(); }
  static void give_up(StackWaiter& self) noexcept { static_cast<StackWait&>(self).operation_.give_up(self); }
  static constexpr WaitKind kKind{&describe, Operation::kIsCounted, Operation::kIsFromOutside};

  Operation& operation_;
};

/// Something that a rank does on a stack of its own: its program, or a collective that goes on beside it. It runs as
/// Work of its PE, until it waits or yields. All on that PE's thread.
class Strand final : private Work {
 public:
  /// `body` runs at the strand's turns; `ended` then, on the PE's own stack, and may destroy the strand.
  Strand(Rank& rank, StackPool& stacks, std::function<void()> body, std::function<void()> ended);
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// It must not run or be ready; a wait is given up.
  ~Strand();

  Rank& rank() const { return rank_; }
  const StackMemory& stack() const { return fibre_.stack(); }

  /// It begins, or goes on, behind what is ready now.
  void make_ready();

  // --- on the strand itself
  /// Lets others run that are ready.
  void yield();
  /// Moves the network, on the PE's own stack, and goes on before others that are ready.
  void move_network();
  /// True at the first call in each turn.
  bool is_first_of_turn() { return std::exchange(is_first_, false); }
  /// Waits for an Operation, and gives what that gives.
  template <class Operation>
  decltype(auto) wait(Operation&& operation) {
    if (!operation.is_ready()) StackWait<std::remove_reference_t<Operation>>(*this, operation).await();
    return operation.take();
  }
  /// Ends it here, whatever functions have not returned.
  [[noreturn]] void leave_for_good();

  /// It runs a function that the program gave to MPI_Op_create, which may not communicate: where that would wait for
  /// other ranks, `wait` says for what, the run ends.
  bool is_in_operation() const { return is_in_operation_; }
  bool set_in_operation(bool is) { return std::exchange(is_in_operation_, is); }
  [[noreturn]] void refuse_to_wait(const std::string& wait) const;

 private:
  friend class StackWaiter;

  static void begin(Work& self, Pe& pe);
  static void go_on(Work& self, Pe& pe);
  void run_turn(Pe& pe);
  Strand* run_until_left(Pe& pe);
  void end_turn();
  void go_over_to(Strand& next, Pe& pe);

  Rank& rank_;
  std::function<void()> body_;
  std::function<void()> ended_;
  StackWaiter* waiter_ = nullptr;
  bool is_over_ = false;
  bool moves_network_ = false;  // and goes on
  bool is_in_operation_ = false;
  bool is_first_ = true;  // nobody has asked yet
  Fibre fibre_;
};

inline bool StackWaiter::waits_in_operation() const { return strand_.is_in_operation(); }

/// The strand that runs on this thread; nullptr: none. Not inlined: a stack may continue on another thread one day, and
/// then an address that the compiler had kept of the thread's storage would be the old one's.
Strand* current_strand_or_null() noexcept;
/// Same as current_strand_or_null(), for functions that the program of a rank calls: there must be a strand.
Strand& current_strand() noexcept;
/// The rank that runs on this thread.
Rank& current_rank() noexcept;
Rank* current_rank_or_null() noexcept;

}  // namespace kaon::ampi
