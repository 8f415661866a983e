// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/function_names.hpp"

#include <elf.h>

#include <cstring>

namespace kaon::ampi {
namespace {

using File = std::span<const std::byte>;

/// A table in the file; empty when it is not wholly inside, or cannot be read where it is.
template <class Entry>
std::span<const Entry> table(File file, std::size_t offset, std::size_t bytes) noexcept {
  if (offset > file.size() || bytes > file.size() - offset || offset % alignof(Entry) != 0) return {};
  return {reinterpret_cast<const Entry*>(file.data() + offset), bytes / sizeof(Entry)};
}

std::span<const ElfW(Shdr)> sections(File file) noexcept {
  const auto elf = table<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (elf.empty() || elf[0].e_shentsize != sizeof(ElfW(Shdr))) return {};
  return table<ElfW(Shdr)>(file, elf[0].e_shoff, std::size_t{elf[0].e_shnum} * sizeof(ElfW(Shdr)));
}

bool is_function_at(const ElfW(Sym) & symbol, ElfW(Addr) address) noexcept {
  const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
  return is_function && address >= symbol.st_value && address - symbol.st_value < symbol.st_size;
}

std::string_view name_at(std::span<const char> names, std::size_t place) noexcept {
  if (place >= names.size()) return {};
  const char* const name = names.data() + place;
  return {name, strnlen(name, names.size() - place)};
}

}  // namespace

std::string_view function_at(File file, ElfW(Addr) address) noexcept {
  const auto all = sections(file);
  for (const ElfW(Shdr) & section : all) {
    if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) || section.sh_link >= all.size()) continue;
    const ElfW(Shdr)& strings = all[section.sh_link];
    const auto names = table<char>(file, strings.sh_offset, strings.sh_size);
    for (const ElfW(Sym) & symbol : table<ElfW(Sym)>(file, section.sh_offset, section.sh_size))
      if (is_function_at(symbol, address)) return name_at(names, symbol.st_name);
  }
  return {};
}

}  // namespace kaon::ampi
