// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <link.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/ampi_shim/program/executable_file.hpp"

namespace kaon::ampi {

/// The data of an executable for the dynamic linker: libraries, symbols with versions, relocations, functions to call.
class DynamicTable {
 public:
  explicit DynamicTable(const ExecutableFile& file);

  bool has(ElfW(Sxword) tag) const { return find(tag) != nullptr; }
  /// The value of the first entry with this tag, 0 without one.
  ElfW(Addr) value(ElfW(Sxword) tag) const;
  std::vector<std::string> needed_libraries() const;
  /// Folders to look for libraries in, $ORIGIN replaced.
  std::vector<std::string> library_folders() const;

  const ElfW(Sym) & symbol(std::size_t index) const;
  std::string_view name(const ElfW(Sym) & symbol) const;
  /// The version that the symbol was linked with, empty for none.
  std::string_view version(std::size_t index) const;

  std::span<const ElfW(Rela)> relocations() const;
  std::span<const ElfW(Rela)> plt_relocations() const;
  /// Words to which the image's address is added (DT_RELR), by their addresses.
  std::vector<ElfW(Addr)> relative_words() const;

 private:
  const ElfW(Dyn) * find(ElfW(Sxword) tag) const;
  const char* text(std::size_t offset) const { return file_.text_at(value(DT_STRTAB) + offset); }
  void read_versions();

  const ExecutableFile& file_;
  std::span<const ElfW(Dyn)> entries_;
  std::vector<std::string_view> versions_;
};

}  // namespace kaon::ampi
