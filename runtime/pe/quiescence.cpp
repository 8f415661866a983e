// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/quiescence.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::runtime {
namespace quiescence_handlers {  // not unnamed: entries are told apart by their names

void wave_down(Pe& pe) { pe.quiescence().wave_down(); }
void wave_up(Pe& pe, std::uint64_t made, std::uint64_t done) { pe.quiescence().wave_up({made, done}); }
void ask(Pe& pe, PeId asker) { pe.quiescence().ask(asker); }
void reached(Pe& pe) { pe.quiescence().reached(); }

}  // namespace quiescence_handlers

namespace {

constexpr PeId kRoot = 0;
/// Between two waves when the last one showed things under way: a wave costs every PE a message. Longer when nothing
/// has changed for long, as timers may still run for hours: a small part of the time since then.
constexpr std::chrono::microseconds kLeastPause{200};
constexpr std::chrono::seconds kMostPause{1};
constexpr int kPausesSinceChange = 64;

std::chrono::nanoseconds pause_after(std::chrono::nanoseconds unchanged) {
  return std::clamp<std::chrono::nanoseconds>(unchanged / kPausesSinceChange, kLeastPause, kMostPause);
}

SpanningTree tree_of(Pe& pe) { return tree_from(kRoot, pe); }

}  // namespace

void Quiescence::await(Work& waiter) {
  waiters_.push_back(&waiter);
  RemoteProcedure<&quiescence_handlers::ask>::send(pe_, kRoot, pe_.id());
}

void Quiescence::forget(const Work& waiter) {
  // Its place stays: the answer to its question must not be taken for that to a later one.
  for (Work*& each : waiters_)
    if (each == &waiter) each = nullptr;
}

void Quiescence::ask(PeId asker) {
  if (asker >= pe_.process().total_pes()) throw CorruptMessage("a PE that does not exist awaits quiescence");
  askers_.push_back(asker);
  if (is_waving_) {  // what was counted before it asked says nothing of what it has sent
    last_was_balanced_ = false;
    return;
  }
  is_waving_ = true;
  last_was_balanced_ = false;
  changed_at_ = pe_.timers().now();
  start_wave();
}

void Quiescence::start_wave() { RemoteProcedure<&quiescence_handlers::wave_down>::send(pe_, kRoot); }

void Quiescence::wave_down() {
  const SpanningTree tree = tree_of(pe_);
  branch_ = {};
  answers_missing_ = tree.children(pe_.id());
  wave_is_here_ = true;
  ++waves_;
  tree.each_child(pe_.id(), [&](PeId child) { RemoteProcedure<&quiescence_handlers::wave_down>::send(pe_, child); });
}

void Quiescence::wave_up(WorkCounts counts) {
  if (!wave_is_here_ || answers_missing_ == 0) throw CorruptMessage("a PE answered a wave that it was not sent");
  branch_ += counts;
  --answers_missing_;
}

// The proof asks for counts that are true at some moment of this wave.
bool Quiescence::are_counts_fresh() const {
  Accelerator* const accelerator = this_accelerator();
  return accelerator == nullptr || accelerator->are_counts_fresh(waves_);
}

void Quiescence::answer() {
  wave_is_here_ = false;
  branch_ += pe_.counts();
  const SpanningTree tree = tree_of(pe_);
  if (tree.is_root(pe_.id())) return wave_ended(branch_);
  RemoteProcedure<&quiescence_handlers::wave_up>::send(pe_, tree.parent(pe_.id()), branch_.made, branch_.done);
}

void Quiescence::wave_ended(WorkCounts counts) {
  const bool is_balanced = counts.made == counts.done;
  const bool is_quiet = is_balanced && last_was_balanced_ && counts == last_wave_;
  if (counts != last_wave_) changed_at_ = pe_.timers().now();
  last_was_balanced_ = is_balanced;
  last_wave_ = counts;
  if (is_quiet) {
    is_waving_ = false;
    for (const PeId asker : std::exchange(askers_, {}))
      RemoteProcedure<&quiescence_handlers::reached, Counting::counted>::send(pe_, asker);
  } else if (is_balanced) {
    start_wave();
  } else {
    next_wave_.run = [](Work& self, Pe& pe) { pe.quiescence().pause_is_over(self); };
    pe_.timers().add_in(pause_after(pe_.timers().now() - changed_at_), next_wave_);
  }
}

void Quiescence::pause_is_over(Work&) { start_wave(); }

void Quiescence::reached() {
  if (waiters_.empty()) throw CorruptMessage("quiescence was announced to a PE that did not ask for it");
  Work* waiter = waiters_.front();
  waiters_.erase(waiters_.begin());
  if (waiter != nullptr) waiter->run(*waiter, pe_);  // else it was destroyed while it waited
}

}  // namespace kaon::runtime
