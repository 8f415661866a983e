// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/awaited_messages.hpp"

#include <utility>

#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {

namespace {

std::string of_pe(const Pe& pe, const std::string& line) { return "PE " + std::to_string(pe.id()) + ": " + line; }

}  // namespace

WaitReport awaited_messages(Pe& pe, std::uint64_t (Collection::*list)(std::vector<std::string>&, std::size_t) const) {
  constexpr std::size_t kMostLines = 1000;  // before equal ones are joined
  WaitReport report;
  std::vector<std::string> lines;
  pe.collections().each([&](const Collection& collection) { report.waits += (collection.*list)(lines, kMostLines); });
  for (const std::string& line : lines) report.join(of_pe(pe, line));
  return report;
}

namespace {

bool report_lost_messages(Process& process) {
  WaitReport report;
  for (PeId local = 0; local < process.local_pes(); ++local) {
    Pe& pe = process.pe(local);
    const CollectionTable::Lost& lost = pe.collections().lost();
    WaitReport here{lost.count, {}};
    for (const CollectionTable::Lost::Line& line : lost.lines) here.join(of_pe(pe, line.text), line.count);
    report.add(std::move(here));
  }
  if (report.waits == 0) return false;
  const std::string what =
      report.waits == 1
          ? "1 message was lost, as its element had been deleted when it came:"
          : std::to_string(report.waits) + " messages were lost, as their elements had been deleted when they came:";
  log_error(what + to_text(report) + "\nsend nothing to an element that may have called destroy()");
  return true;
}

bool report_awaiting_messages(Process& process) {
  WaitReport report;
  for (PeId local = 0; local < process.local_pes(); ++local)
    report.add(awaited_messages(process.pe(local), &Collection::list_unclaimed));
  if (report.waits == 0) return false;
  const std::string what = report.waits == 1
                               ? "1 message was not delivered before main returned, as its element never came:"
                               : std::to_string(report.waits) +
                                     " messages were not delivered before main returned, as their elements never came:";
  log_error(what + to_text(report) + "\ninsert the elements that messages are for, or send nothing to them");
  return true;
}

}  // namespace

bool report_undelivered_messages(Process& process) {
  const bool some_wait = report_awaiting_messages(process);
  return report_lost_messages(process) || some_wait;
}

}  // namespace kaon::runtime
