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

bool report_unclaimed_messages(Process& process) {
  WaitReport report;
  for (PeId local = 0; local < process.local_pes(); ++local)
    report.add(awaited_messages(process.pe(local), &Collection::list_unclaimed));
  if (report.waits == 0) return false;
  log_error(std::to_string(report.waits) +
            " messages were not delivered before main returned, as their elements never came:" + to_text(report) +
            "\ninsert the elements that they are for, or send nothing to them");
  return true;
}

}  // namespace kaon::runtime
