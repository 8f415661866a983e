// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/put_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

std::string described(const PlannedPut& put) {
  return fmt::format("\"{}\" from PE {} to PE {}", put.name, put.from, put.to);
}

}  // namespace

PutPlan::PutPlan(int pes) : steps_(std::max(pes, 0)), sent_(steps_.size()), flags_(steps_.size()) {
  if (pes < 1) throw UsageError(fmt::format("gpu::PutPlan: a plan of {} PEs; it has at least one", pes));
}

void PutPlan::add(PlannedPut put) {
  const int pes = static_cast<int>(steps_.size());
  if (put.from < 0 || put.from >= pes || put.to < 0 || put.to >= pes)
    throw UsageError(fmt::format("gpu::PutPlan: put {}, in a plan of {} PEs", described(put), pes));
  if (put.target == kFlags)
    throw UsageError(fmt::format("gpu::PutPlan: put {} would overwrite flags: segment \"{}\" has those of all puts",
                                 described(put), kFlags));
  std::uint16_t& flags = flags_[put.to];
  if (flags == std::numeric_limits<std::uint16_t>::max())
    throw UsageError(fmt::format("gpu::PutPlan: more than {} puts go to PE {}", flags, put.to));
  if (!by_name_.emplace(put.name, puts_.size()).second)
    throw UsageError(fmt::format("gpu::PutPlan: two puts are called \"{}\"", put.name));
  const std::uint32_t number = sent_[put.from]++;
  puts_.push_back({std::move(put), number, flags++});
}

const PutPlan::Entry& PutPlan::find(const std::string& put) const {
  const auto found = by_name_.find(put);
  if (found == by_name_.end())
    throw UsageError(fmt::format("gpu::PutPlan: there is no put \"{}\": add() it first", put));
  return puts_[found->second];
}

void PutPlan::add_step(const std::string& put, Kind kind) {
  Entry& entry = puts_[static_cast<std::size_t>(&find(put) - puts_.data())];
  ++(kind == Kind::start ? entry.starts : entry.waits);
  steps_[kind == Kind::start ? entry.put.from : entry.put.to].push_back({by_name_.at(put), kind});
}

void PutPlan::check() const {
  check_counts();
  check_targets();
  check_order();
}

void PutPlan::check_counts() const {
  const auto refuse = [](const PlannedPut& put, const std::string& why) {
    throw UsageError(fmt::format("gpu::PutPlan: put {} {}", described(put), why));
  };
  for (const Entry& entry : puts_) {
    if (entry.starts == 0 && entry.waits > 0)
      refuse(entry.put, "is waited for, and nobody starts it: its receiver would wait for ever");
    if (entry.starts == 0) refuse(entry.put, "is never started");
    if (entry.waits == 0)
      refuse(entry.put, "is started, and nobody waits for it: the next round would overwrite what nobody has read");
    if (entry.starts > 1 || entry.waits > 1)
      refuse(entry.put, fmt::format("is started {} times and waited for {} times in a round: make several puts of it",
                                    entry.starts, entry.waits));
  }
}

void PutPlan::check_targets() const {
  std::vector<const PlannedPut*> order;
  for (const Entry& entry : puts_)
    if (entry.put.bytes > 0) order.push_back(&entry.put);
  const auto place = [](const PlannedPut* put) { return std::tie(put->to, put->target, put->to_offset); };
  std::sort(order.begin(), order.end(), [&](auto* one, auto* other) { return place(one) < place(other); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const PlannedPut &before = *order[i - 1], &next = *order[i];
    if (before.to == next.to && before.target == next.target && next.to_offset - before.to_offset < before.bytes)
      throw UsageError(fmt::format("gpu::PutPlan: the targets of puts {} and {} overlap in segment \"{}\"",
                                   described(before), described(next), next.target));
  }
}

// Starts wait for nobody, so each PE goes as far as it can, in any order of PEs.
void PutPlan::check_order() const {
  std::vector<std::size_t> next(steps_.size());
  std::vector<bool> has_started(puts_.size());
  for (bool has_advanced = true; has_advanced;) {
    has_advanced = false;
    for (std::size_t pe = 0; pe < steps_.size(); ++pe)
      for (; next[pe] < steps_[pe].size(); ++next[pe], has_advanced = true) {
        const Step& step = steps_[pe][next[pe]];
        if (step.kind == Kind::start)
          has_started[step.put] = true;
        else if (!has_started[step.put])
          break;
      }
  }
  for (std::size_t pe = 0; pe < steps_.size(); ++pe)
    if (next[pe] < steps_[pe].size()) refuse_circle(next);
}

/// `next`: the step at which each PE stands.
void PutPlan::refuse_circle(const std::vector<std::size_t>& next) const {
  const auto awaited = [&](std::size_t pe) -> const PlannedPut& { return puts_[steps_[pe][next[pe]].put].put; };
  std::size_t pe = 0;
  while (next[pe] == steps_[pe].size()) ++pe;
  // Whoever stands still waits for one that does: after so many steps the walk is in the circle.
  for (std::size_t i = 0; i < steps_.size(); ++i) pe = static_cast<std::size_t>(awaited(pe).from);
  std::string circle;
  const std::size_t first = pe;
  do {
    const PlannedPut& put = awaited(pe);
    circle += fmt::format("{}PE {} waits for \"{}\" of PE {}", circle.empty() ? "" : ", ", pe, put.name, put.from);
    pe = static_cast<std::size_t>(put.from);
  } while (pe != first);
  throw UsageError(
      fmt::format("gpu::PutPlan: a circle of waits, which never ends: {}. Start one of these puts before "
                  "the wait that stands in front of it",
                  circle));
}

std::size_t PutPlan::flags_of(int pe) const {
  if (pe < 0 || pe >= static_cast<int>(flags_.size()))
    throw UsageError(fmt::format("gpu::PutPlan: there is no PE {} in a plan of {}", pe, flags_.size()));
  return flags_[static_cast<std::size_t>(pe)];
}

std::vector<Put> PutPlan::puts_of(
    int pe, const std::function<SegmentNumber(int pe, const std::string& segment)>& number_of) const {
  std::vector<Put> puts;
  for (const auto& [put, number, flag, starts, waits] : puts_)
    if (put.from == pe)
      puts.push_back({.from = number_of(pe, put.source),
                      .to = number_of(put.to, put.target),
                      .flags = number_of(put.to, kFlags),
                      .flag = flag,
                      .bytes = put.bytes,
                      .from_offset = put.from_offset,
                      .to_offset = put.to_offset});
  return puts;
}

}  // namespace kaon::gpu
