// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/print.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {
namespace {

/// Of the PE of this thread, if it is one and labels are wanted.
std::string label() {
  Pe* const pe = this_pe_or_null();
  if (pe == nullptr || !pe->process().options().label_output) return {};
  return "[PE " + std::to_string(pe->id()) + "] ";
}

}  // namespace

// A call of the C library's is not interrupted by those of other threads; kaonrun sees to processes.
void print(std::string_view lines) {
  const std::string before = label();
  std::string text;
  text.reserve(lines.size() + before.size() + 1);
  do {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text.append(before).append(lines.substr(0, end)).append(1, '\n');
    lines.remove_prefix(std::min(end + 1, lines.size()));
  } while (!lines.empty());
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace kaon::runtime
