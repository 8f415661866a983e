// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/stall_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/awaited_messages.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/quiescence.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::runtime {
namespace stall_handlers {  // not unnamed: entries are told apart by their names

void look_down(Pe& pe) { pe.stall_watch().look_down(); }
void look_up(Pe& pe, StallWatch::View view) { pe.stall_watch().look_up(view); }
void want_waits(Pe& pe) { pe.stall_watch().waits_wanted(); }
void waits_came(Pe& pe, PeId from, WaitReport report) { pe.stall_watch().waits_came(from, std::move(report)); }
void tell_waits(Pe& pe) {
  WaitReport report = waits_of(pe);
  report.add(awaited_messages(pe, &Collection::list_awaited));
  RemoteProcedure<&waits_came>::send(pe, 0, pe.id(), std::move(report));
}

}  // namespace stall_handlers

namespace {

constexpr PeId kRoot = 0;
constexpr std::chrono::milliseconds kTick{250};
/// Looks that must see the same, however short a time is wanted. Two are the proof; the others are for what is not
/// counted, such as news of places.
constexpr int kFewestLooks = 3;
/// How long a report waits for PEs that run one entry for long.
constexpr int kTicksOfReport = 8;
/// Requests so close to the last are the same one.
constexpr int kTicksOfOneReport = 2;

/// Looks until a run has stood still for so long.
double looks_in(double seconds) {
  return std::max<double>(kFewestLooks, seconds / std::chrono::duration<double>(kTick).count());
}

SpanningTree tree_of(Pe& pe) { return tree_from(kRoot, pe); }

}  // namespace

StallWatch::View& StallWatch::View::operator+=(const View& other) {
  made += other.made;
  done += other.done;
  dependent += other.dependent;
  outside += other.outside;
  waits += other.waits;
  return *this;
}

StallWatch::View StallWatch::view() const {
  const bool goes_on = !pe_.waits().due().empty() || awaits_device(pe_);
  return {.made = pe_.counts().made,
          .done = pe_.counts().done,
          .dependent = pe_.waits().dependent(),
          .outside = pe_.waits().outside() + (goes_on ? 1 : 0),
          .waits = pe_.waits().waiting().empty() ? 0u : 1u};
}

// --- looks

void StallWatch::start() {
  timer_.run = [](Work&, Pe& pe) { pe.stall_watch().tick(); };
  pe_.timers().add_in(kTick, timer_);
}

void StallWatch::tick() {
  if (++ticks_of_report_ > kTicksOfReport && reports_missing_ > 0) tell_waits();
  const bool was_idle = std::exchange(last_counts_, pe_.counts()) == pe_.counts();
  if (was_idle) look();
  start();
}

void StallWatch::look() {
  if (is_looking_) return;
  is_looking_ = true;
  RemoteProcedure<&stall_handlers::look_down>::send(pe_, kRoot);
}

void StallWatch::look_down() {
  const SpanningTree tree = tree_of(pe_);
  branch_ = {};
  answers_missing_ = tree.children(pe_.id());
  tree.each_child(pe_.id(), [&](PeId child) { RemoteProcedure<&stall_handlers::look_down>::send(pe_, child); });
  if (answers_missing_ == 0) answer();
}

void StallWatch::look_up(const View& view) {
  if (answers_missing_ == 0) throw CorruptMessage("a PE answered a look that it was not sent");
  branch_ += view;
  if (--answers_missing_ == 0) answer();
}

void StallWatch::answer() {
  branch_ += view();
  const SpanningTree tree = tree_of(pe_);
  if (tree.is_root(pe_.id())) return look_ended();
  RemoteProcedure<&stall_handlers::look_up>::send(pe_, tree.parent(pe_.id()), branch_);
}

bool StallWatch::is_stall(const View& view) const {
  const bool is_quiet = view.made == view.done;
  if (is_quiet && pe_.quiescence().is_awaited()) return false;  // it is about to be told
  return view.waits > 0 && view.outside == 0 && static_cast<std::int64_t>(view.made - view.done) == view.dependent;
}

void StallWatch::look_ended() {
  is_looking_ = false;
  const bool is_same = branch_ == std::exchange(last_, branch_);
  equal_looks_ = is_stall(last_) ? (is_same ? equal_looks_ + 1 : 1) : 0;
  const double limit_s = pe_.process().options().deadlock_s;
  if (limit_s == 0 || equal_looks_ < looks_in(limit_s) || is_deadlock_) return;
  is_deadlock_ = true;
  ask_for_waits();
}

// --- reports

void StallWatch::print_waits() { RemoteProcedure<&stall_handlers::want_waits>::send(pe_, kRoot); }

/// All processes of a run may ask at once.
void StallWatch::waits_wanted() {
  if (reports_missing_ == 0 && (ticks_of_report_ >= kTicksOfOneReport || !has_reported_)) ask_for_waits();
}

void StallWatch::ask_for_waits() {
  report_ = {};
  has_reported_ = true;
  ticks_of_report_ = 0;
  reports_missing_ = pe_.process().total_pes();
  has_answered_.assign(reports_missing_, false);
  for (PeId pe = 0; pe < pe_.process().total_pes(); ++pe) RemoteProcedure<&stall_handlers::tell_waits>::send(pe_, pe);
}

void StallWatch::waits_came(PeId from, WaitReport report) {
  if (from >= pe_.process().total_pes()) throw CorruptMessage("a PE that does not exist says what it waits for");
  if (reports_missing_ == 0 || has_answered_[from]) return;  // it is late
  has_answered_[from] = true;
  report_.add(std::move(report));
  if (--reports_missing_ == 0) tell_waits();
}

void StallWatch::tell_waits() {
  const PeId silent = std::exchange(reports_missing_, 0);
  std::string text = to_text(report_);
  if (is_deadlock_) {
    text =
        "deadlock: nothing is under way and nothing can come from outside, but these wait, the longest first:" + text;
    pe_.running().forget();
    return pe_.fail(std::make_exception_ptr(Deadlock(text)));
  }
  if (report_.waits == 0) text = "\n  nobody";
  if (silent > 0) text += to_text_of_silent(has_answered_);
  std::fputs(("kaon: who waits, the longest first:" + text + "\n").c_str(), stderr);
}

}  // namespace kaon::runtime
