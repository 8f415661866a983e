// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/transfer_report.hpp"

#include <fmt/format.h>

namespace kaon::runtime {

void TransferReport::add_fallback(std::string_view reason, std::uint64_t payloads, std::uint64_t bytes) {
  for (Fallback& known : fallbacks) {
    if (known.reason != reason) continue;
    known.payloads += payloads;
    known.bytes += bytes;
    return;
  }
  fallbacks.push_back({std::string(reason), payloads, bytes});
}

void TransferReport::add(const TransferReport& other) {
  for (std::size_t i = 0; i < kPaths; ++i) {
    paths[i].payloads += other.paths[i].payloads;
    paths[i].bytes += other.paths[i].bytes;
    paths[i].seconds += other.paths[i].seconds;
  }
  for (const Fallback& fallback : other.fallbacks) add_fallback(fallback.reason, fallback.payloads, fallback.bytes);
}

std::string to_text(const TransferReport& report) {
  std::string text = fmt::format("{:<12} {:>10} {:>14} {:>10}\n", "payloads by", "number", "MiB", "GB/s each");
  for (std::size_t i = 0; i < kPaths; ++i) {
    const TransferReport::Count& count = report.paths[i];
    if (count.payloads == 0) continue;
    const double bytes = static_cast<double>(count.bytes);
    const std::string rate = count.seconds > 0 ? fmt::format("{:.3g}", bytes / count.seconds / 1e9) : "-";
    text += fmt::format("{:<12} {:>10} {:>14.3f} {:>10}\n", name_of(static_cast<Path>(i)), count.payloads,
                        bytes / (1 << 20), rate);
  }
  for (const TransferReport::Fallback& fallback : report.fallbacks)
    text += fmt::format("not direct: {} payloads, {:.3f} MiB: {}\n", fallback.payloads,
                        static_cast<double>(fallback.bytes) / (1 << 20), fallback.reason);
  return text;
}

}  // namespace kaon::runtime
