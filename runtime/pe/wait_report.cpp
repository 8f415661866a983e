// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/wait_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "kaon/runtime/base/ticks.hpp"

namespace kaon::runtime {
namespace {

constexpr std::size_t kMostLines = 40;

WaitReport::Line line_of(const Waiter& waiter, PeId pe) {
  const std::string who = waiter.root() != nullptr ? waiter.root()->name() : "a task";
  const double seconds =
      waiter.since_ticks() != 0 ? static_cast<double>(ticks() - waiter.since_ticks()) / (1e6 * ticks_per_us()) : 0;
  return {seconds, fmt::format("PE {}: {}, {}", pe, who, waiter.kind().describe(waiter))};
}

}  // namespace

void WaitReport::add(WaitReport other) {
  waits += other.waits;
  const auto middle = static_cast<std::ptrdiff_t>(oldest.size());
  std::move(other.oldest.begin(), other.oldest.end(), std::back_inserter(oldest));
  std::inplace_merge(oldest.begin(), oldest.begin() + middle, oldest.end(),
                     [](const Line& a, const Line& b) { return a.seconds > b.seconds; });
  if (oldest.size() > kMostLines) oldest.resize(kMostLines);
}

void WaitReport::join(std::string text, std::uint64_t count) {
  const auto equal = std::find_if(oldest.begin(), oldest.end(), [&](const Line& line) { return line.text == text; });
  if (equal != oldest.end())
    equal->count += count;
  else if (oldest.size() < kMostLines)
    oldest.push_back({0, std::move(text), count});
}

WaitReport waits_of(const Scheduler& scheduler) {
  WaitReport report;
  scheduler.waits().waiting().each([&](const Waiter& waiter) {
    ++report.waits;
    if (report.oldest.size() < kMostLines) report.oldest.push_back(line_of(waiter, scheduler.id()));
  });
  return report;
}

std::string to_text(const WaitReport& report) {
  std::string text;
  std::uint64_t listed = 0;
  for (const WaitReport::Line& line : report.oldest) {
    text += "\n  " + line.text;
    if (line.seconds > 0) text += fmt::format(" ({:.1f} s)", line.seconds);
    if (line.count > 1) text += fmt::format(" ({} times)", line.count);
    listed += line.count;
  }
  if (report.waits > listed) text += fmt::format("\n  and {} more", report.waits - listed);
  return text;
}

std::string to_text_of_silent(const std::vector<bool>& has_answered) {
  constexpr std::size_t kMostNamed = 8;
  std::size_t count = 0;
  std::string names;
  for (std::size_t pe = 0; pe < has_answered.size(); ++pe) {
    if (has_answered[pe]) continue;
    if (++count <= kMostNamed) names += (count > 1 ? ", " : "") + std::to_string(pe);
  }
  if (count == 1)
    return "\n  PE " + names + " did not answer: it runs one entry for long, or its process is stopped or cut off";
  return fmt::format(
      "\n  {} PEs did not answer: they run one entry for long, or their process is stopped or cut off (PEs {}{})",
      count, names, count > kMostNamed ? ", ..." : "");
}

}  // namespace kaon::runtime
