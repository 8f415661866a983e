// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/relocation_plan.hpp"

#include <sys/auxv.h>

#include <cstring>

#include "kaon/ampi_shim/program/relocation_builder.hpp"

namespace kaon::ampi {
namespace {

// Words of packed structures need not be aligned.
void write_word(std::byte* at, std::uint64_t value) { std::memcpy(at, &value, sizeof value); }

}  // namespace

RelocationPlan::RelocationPlan(const ExecutableFile& file, const DynamicTable& table, const Libraries& libraries,
                               const FindReplacement& find_replacement)
    : image_end_(file.image_end()), end_(image_end_) {
  Builder(*this, file, table, libraries, find_replacement).build();
}

void RelocationPlan::apply(std::byte* base) const {
  const auto start = reinterpret_cast<std::uint64_t>(base);
  for (const auto& word : relative_) write_word(base + word.offset, start + word.value);
  for (const auto& word : absolute_) write_word(base + word.offset, word.value);
  for (const auto& copy : copies_) std::memcpy(base + copy.offset, copy.source, copy.bytes);
  // Last: a resolver may use what the others have written.
  for (const auto& word : resolvers_) {
    using Resolver = std::uint64_t (*)(std::uint64_t);
    write_word(base + word.offset, reinterpret_cast<Resolver>(start + word.value)(getauxval(AT_HWCAP)));
  }
}

void* RelocationPlan::variable(std::byte* base, PrivateVariable which) const {
  const std::size_t offset = variables_[static_cast<std::size_t>(which)];
  return offset == 0 ? nullptr : base + offset;
}

}  // namespace kaon::ampi
