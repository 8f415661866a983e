// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/awaited_messages.hpp"

#include <utility>

#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {

WaitReport awaited_messages(Pe& pe, std::uint64_t (Collection::*list)(std::vector<std::string>&, std::size_t) const) {
  constexpr std::size_t kMostLines = 20;
  WaitReport report;
  std::vector<std::string> lines;
  pe.collections().each([&](const Collection& collection) { report.waits += (collection.*list)(lines, kMostLines); });
  for (std::string& line : lines)
    report.oldest.push_back({0, "PE " + std::to_string(pe.id()) + ": " + std::move(line)});
  return report;
}

namespace {

bool report_lost_messages(Process& process) {
  WaitReport report;
  for (PeId local = 0; local < process.local_pes(); ++local) {
    Pe& pe = process.pe(local);
    const CollectionTable::Lost& lost = pe.collections().lost();
    WaitReport of_pe{lost.count, {}};
    for (const std::string& line : lost.lines)
      of_pe.oldest.push_back({0, "PE " + std::to_string(pe.id()) + ": " + line});
    report.add(std::move(of_pe));
  }
  if (report.waits == 0) return false;
  const std::string what = report.waits == 1
                               ? "1 message was lost, as its element had been deleted when it came:"
                               : " messages were lost, as their elements had been deleted when they came:";
  log_error((report.waits == 1 ? what : std::to_string(report.waits) + what) + to_text(report) +
            "\nsend nothing to an element that may have called destroy()");
  return true;
}

bool report_awaiting_messages(Process& process) {
  WaitReport report;
  for (PeId local = 0; local < process.local_pes(); ++local)
    report.add(awaited_messages(process.pe(local), &Collection::list_unclaimed));
  if (report.waits == 0) return false;
  log_error(std::to_string(report.waits) +
            " messages were not delivered before main returned, as their elements never came:" + to_text(report) +
            "\ninsert the elements that they are for, or send nothing to them");
  return true;
}

}  // namespace

bool report_undelivered_messages(Process& process) {
  const bool some_wait = report_awaiting_messages(process);
  return report_lost_messages(process) || some_wait;
}

}  // namespace kaon::runtime
