// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/transfer_report.hpp"

#include <fmt/format.h>

namespace kaon::runtime {

void TransferReport::add_fallback(Route refused, std::string_view reason, std::uint64_t bytes, std::uint64_t payloads) {
  for (Fallback& known : fallbacks) {
    if (known.refused != refused || known.reason != reason) continue;
    known.payloads += payloads;
    known.bytes += bytes;
    return;
  }
  fallbacks.push_back({refused, std::string(reason), payloads, bytes});
}

void TransferReport::add(const TransferReport& other) {
  for (std::size_t i = 0; i < kRoutes; ++i) {
    routes[i].payloads += other.routes[i].payloads;
    routes[i].bytes += other.routes[i].bytes;
    routes[i].seconds += other.routes[i].seconds;
  }
  raised += other.raised;
  gathered.kernels += other.gathered.kernels;
  for (std::size_t i = 0; i < kLaunchCauses; ++i) gathered.launches[i] += other.gathered.launches[i];
  for (const Fallback& fallback : other.fallbacks)
    add_fallback(fallback.refused, fallback.reason, fallback.bytes, fallback.payloads);
}

namespace {

std::string to_text(const TransferReport::GatheredLaunches& gathered) {
  if (gathered.kernels == 0) return {};
  const auto& [idle, time, full, needed] = gathered.launches;
  const std::uint64_t launches = idle + time + full + needed;
  return fmt::format(
      "gathered kernels: {} in {} launches, {:.1f} each; launched as the PE was idle {}, after a while {}, as the list "
      "was full {}, as other work needed them {}\n",
      gathered.kernels, launches, static_cast<double>(gathered.kernels) / static_cast<double>(launches), idle, time,
      full, needed);
}

}  // namespace

std::string to_text(const TransferReport& report) {
  std::string text = fmt::format("{:<17} {:>10} {:>14} {:>10}\n", "payloads by", "number", "MiB", "GB/s each");
  for (std::size_t i = 0; i < kRoutes; ++i) {
    const TransferReport::Count& count = report.routes[i];
    if (count.payloads == 0) continue;
    const double bytes = static_cast<double>(count.bytes);
    const std::string rate = count.seconds > 0 ? fmt::format("{:.3g}", bytes / count.seconds / 1e9) : "-";
    text += fmt::format("{:<17} {:>10} {:>14.3f} {:>10}\n", name_of(static_cast<Route>(i)), count.payloads,
                        bytes / (1 << 20), rate);
  }
  for (const TransferReport::Fallback& fallback : report.fallbacks)
    text += fmt::format("not {}: {} payloads, {:.3f} MiB: {}\n", name_of(fallback.refused), fallback.payloads,
                        static_cast<double>(fallback.bytes) / (1 << 20), fallback.reason);
  if (report.raised > 0) text += fmt::format("flags raised by PEs behind payloads: {}\n", report.raised);
  return text + to_text(report.gathered);
}

}  // namespace kaon::runtime
