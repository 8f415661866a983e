// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/strand.hpp"

#include <utility>

#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::ampi {
namespace {

thread_local Strand* current = nullptr;

[[gnu::noinline]] Strand* switch_strand(Strand* strand) noexcept { return std::exchange(current, strand); }

}  // namespace

[[gnu::noinline]] Strand* current_strand_or_null() noexcept { return current; }
[[gnu::noinline]] Strand& current_strand() noexcept { return *current; }
[[gnu::noinline]] Rank& current_rank() noexcept { return current->rank(); }
[[gnu::noinline]] Rank* current_rank_or_null() noexcept { return current != nullptr ? &current->rank() : nullptr; }

// --- turns

[[gnu::always_inline]] inline void Strand::go_over_to(Strand& next, Pe& pe) {
  if (&next.rank_ != &rank_) {
    rank_.leave();
    next.rank_.enter();
    pe.switch_root(&next.rank_);
  }
  pe.note_kind(next.rank_.kind);
  next.is_first_ = true;
  switch_strand(&next);
  fibre_.go_over_to(next.fibre_);
}

// Where the next piece of work is a strand's turn, too, this goes there and not through the scheduler's loop: half the
// changes of stacks. Returns when it has a turn again.
[[gnu::always_inline]] inline void Strand::end_turn() {
  Pe& pe = rank_.scheduler();
  Work* const next = Fibre::kGoesOver ? pe.take_next(&go_on) : nullptr;
  if (next == nullptr) return fibre_.leave();
  if (next != this) go_over_to(static_cast<Strand&>(*next), pe);
}

// --- waiting

void Strand::refuse_to_wait(const std::string& wait) const {
  rank_.abort(kExitOther,
              "has waited " + wait +
                  " in a function of an MPI_Op; the standard lets these call no function that communicates, "
                  "as the ranks which they would wait for may be in the same reduction");
}

void StackWaiter::refuse(const std::string& wait) const { strand_.refuse_to_wait(wait); }

void StackWaiter::begin() {
  hold(strand_.rank_.scheduler(), {}, &strand_.rank_);
  run = &resumed;
}

void StackWaiter::suspend() {
  strand_.waiter_ = this;
  strand_.end_turn();
}

void StackWaiter::make_ready() {
  strand_.waiter_ = nullptr;
  let_go();
  strand_.make_ready();
}

void StackWaiter::resumed(Work& work, Pe& pe) {
  auto& self = static_cast<StackWaiter&>(work);
  Strand& strand = self.strand_;
  strand.waiter_ = nullptr;
  self.let_go();
  strand.run_turn(pe);  // which ends the waiter
}

// --- strands

Strand::Strand(Rank& rank, StackPool& stacks, std::function<void()> body, std::function<void()> ended)
    : rank_(rank),
      body_(std::move(body)),
      ended_(std::move(ended)),
      fibre_(
          stacks,
          [](void* self) {
            static_cast<Strand*>(self)->body_();
            static_cast<Strand*>(self)->is_over_ = true;
          },
          this) {
  run = &begin;
}

Strand::~Strand() {
  if (waiter_ == nullptr) return;
  waiter_->give_up_(*waiter_);
  waiter_->let_go();
}

void Strand::make_ready() { rank_.scheduler().enqueue(*this); }

void Strand::yield() {
  // Where nobody else is ready, what it looks for in a loop comes from other PEs: they are looked at before its turn.
  if (rank_.scheduler().ready_count() == 0)
    run = [](Work& self, Pe& pe) {
      auto& strand = static_cast<Strand&>(self);
      strand.run = &go_on;
      pe.move_network();
      strand.run_turn(pe);
    };
  make_ready();
  end_turn();
}

void Strand::move_network() {
  moves_network_ = true;
  fibre_.leave();
}

void Strand::leave_for_good() {
  is_over_ = true;
  fibre_.leave();
  __builtin_unreachable();
}

void Strand::begin(Work& self, Pe& pe) {
  self.run = &go_on;
  static_cast<Strand&>(self).run_turn(pe);
}

void Strand::go_on(Work& self, Pe& pe) { static_cast<Strand&>(self).run_turn(pe); }

void Strand::run_turn(Pe& pe) {
  for (Strand* next = this; next != nullptr;) next = next->run_until_left(pe);
}

// Gives the one that goes on at once.
Strand* Strand::run_until_left(Pe& pe) {
  Root* const before = pe.switch_root(&rank_);
  pe.note_kind(rank_.kind);
  is_first_ = true;
  Strand* const outer = switch_strand(this);
  rank_.enter();
  fibre_.enter();
  Strand& last = *switch_strand(outer);  // this, or one that it went over to
  last.rank_.leave();
  pe.switch_root(before);
  if (last.is_over_) {
    std::exchange(last.ended_, {})();  // which may destroy it
    return nullptr;
  }
  if (!std::exchange(last.moves_network_, false)) return nullptr;
  pe.move_network();
  return &last;
}

}  // namespace kaon::ampi
