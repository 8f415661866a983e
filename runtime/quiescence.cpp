// SPDX-License-Identifier: Apache-2.0
#include "runtime/quiescence.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/handler.hpp"
#include "runtime/process.hpp"
#include "runtime/spanning_tree.hpp"

namespace kaon {
namespace {

constexpr PeId kRoot = 0;
/// Between two waves when the last one showed things under way: a wave costs every PE a message.
constexpr std::chrono::microseconds kPause{200};

void handle_wave_down(Pe& pe) { pe.quiescence().wave_down(); }
void handle_wave_up(Pe& pe, std::uint64_t made, std::uint64_t done) { pe.quiescence().wave_up({made, done}); }
void handle_ask(Pe& pe, PeId asker) { pe.quiescence().ask(asker); }
void handle_reached(Pe& pe) { pe.quiescence().reached(); }

SpanningTree tree_of(Pe& pe) { return SpanningTree(kRoot, pe.process().total_pes()); }

}  // namespace

void Quiescence::await(Work& waiter) {
  waiters_.push_back(&waiter);
  Handler<&handle_ask>::send(pe_, kRoot, pe_.id());
}

void Quiescence::forget(Work& waiter) { std::erase(waiters_, &waiter); }

void Quiescence::ask(PeId asker) {
  askers_.push_back(asker);
  if (is_waving_) return;
  is_waving_ = true;
  last_was_balanced_ = false;
  start_wave();
}

void Quiescence::start_wave() { Handler<&handle_wave_down>::send(pe_, kRoot); }

void Quiescence::wave_down() {
  const SpanningTree tree = tree_of(pe_);
  branch_ = {};
  answers_missing_ = tree.children(pe_.id());
  wave_is_here_ = true;
  tree.each_child(pe_.id(), [&](PeId child) { Handler<&handle_wave_down>::send(pe_, child); });
}

void Quiescence::wave_up(QuiescenceCounts counts) {
  branch_ += counts;
  --answers_missing_;
}

void Quiescence::answer() {
  wave_is_here_ = false;
  branch_ += pe_.counts();
  const SpanningTree tree = tree_of(pe_);
  if (tree.is_root(pe_.id())) return wave_ended(branch_);
  Handler<&handle_wave_up>::send(pe_, tree.parent(pe_.id()), branch_.made, branch_.done);
}

void Quiescence::wave_ended(QuiescenceCounts counts) {
  const bool is_balanced = counts.made == counts.done;
  const bool is_quiet = is_balanced && last_was_balanced_ && counts == last_wave_;
  last_was_balanced_ = is_balanced;
  last_wave_ = counts;
  if (is_quiet) {
    is_waving_ = false;
    for (const PeId asker : std::exchange(askers_, {}))
      Handler<&handle_reached, Counting::counted>::send(pe_, asker);
  } else if (is_balanced) {
    start_wave();
  } else {
    next_wave_.run = [](Work& self, Pe& pe) { pe.quiescence().pause_is_over(self); };
    pe_.timers().add(Timers::Clock::now() + kPause, next_wave_);
  }
}

void Quiescence::pause_is_over(Work&) { start_wave(); }

void Quiescence::reached() {
  if (waiters_.empty()) return;  // it was destroyed while it waited
  Work* waiter = waiters_.front();
  waiters_.erase(waiters_.begin());
  pe_.enqueue(*waiter);
}

}  // namespace kaon
