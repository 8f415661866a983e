// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/dynamic_table.hpp"

#include <elf.h>

#include <algorithm>
#include <climits>
#include <filesystem>

namespace kaon::ampi {
namespace {

std::string with_origin(std::string folder, const std::string& origin) {
  for (const std::string_view name : {"${ORIGIN}", "$ORIGIN"}) {
    for (auto at = folder.find(name); at != std::string::npos; at = folder.find(name, at + origin.size())) {
      folder.replace(at, name.size(), origin);
    }
  }
  return folder;
}

}  // namespace

DynamicTable::DynamicTable(const ExecutableFile& file) : file_(file) {
  const auto* header = file.find_header(PT_DYNAMIC);
  entries_ = file.table<ElfW(Dyn)>(header->p_vaddr, header->p_filesz);
  const auto end =
      std::find_if(entries_.begin(), entries_.end(), [](const auto& each) { return each.d_tag == DT_NULL; });
  entries_ = {entries_.begin(), end};
  read_versions();
}

const ElfW(Dyn) * DynamicTable::find(ElfW(Sxword) tag) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [tag](const auto& each) { return each.d_tag == tag; });
  return found == entries_.end() ? nullptr : &*found;
}

ElfW(Addr) DynamicTable::value(ElfW(Sxword) tag) const {
  const auto* entry = find(tag);
  return entry == nullptr ? 0 : entry->d_un.d_ptr;
}

std::vector<std::string> DynamicTable::needed_libraries() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) {
    if (entry.d_tag == DT_NEEDED) names.emplace_back(text(entry.d_un.d_val));
  }
  return names;
}

std::vector<std::string> DynamicTable::library_folders() const {
  const auto* entry = has(DT_RUNPATH) ? find(DT_RUNPATH) : find(DT_RPATH);
  if (entry == nullptr) return {};
  const std::string origin = std::filesystem::canonical(file_.path()).parent_path();
  std::vector<std::string> folders;
  std::string_view rest = text(entry->d_un.d_val);
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.push_back(with_origin(std::string(rest.substr(0, colon)), origin));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

const ElfW(Sym) & DynamicTable::symbol(std::size_t index) const {
  return file_.table<ElfW(Sym)>(value(DT_SYMTAB) + index * sizeof(ElfW(Sym)), sizeof(ElfW(Sym)))[0];
}

std::string_view DynamicTable::name(const ElfW(Sym) & symbol) const { return text(symbol.st_name); }

void DynamicTable::read_versions() {
  ElfW(Addr) at = value(DT_VERNEED);
  for (ElfW(Addr) left = value(DT_VERNEEDNUM); left > 0; --left) {
    const auto& library = file_.table<ElfW(Verneed)>(at, sizeof(ElfW(Verneed)))[0];
    ElfW(Addr) version_at = at + library.vn_aux;
    for (unsigned count = library.vn_cnt; count > 0; --count) {
      const auto& version = file_.table<ElfW(Vernaux)>(version_at, sizeof(ElfW(Vernaux)))[0];
      const std::size_t number = version.vna_other & 0x7fffU;
      if (versions_.size() <= number) versions_.resize(number + 1);
      versions_[number] = text(version.vna_name);
      version_at += version.vna_next;
    }
    at += library.vn_next;
  }
}

std::string_view DynamicTable::version(std::size_t index) const {
  if (!has(DT_VERSYM)) return {};
  const auto number = file_.table<ElfW(Half)>(value(DT_VERSYM) + index * sizeof(ElfW(Half)), sizeof(ElfW(Half)))[0];
  const std::size_t plain = number & 0x7fffU;  // the highest bit hides a version from new programs
  return plain < versions_.size() ? versions_[plain] : std::string_view();
}

std::span<const ElfW(Rela)> DynamicTable::relocations() const {
  return has(DT_RELA) ? file_.table<ElfW(Rela)>(value(DT_RELA), value(DT_RELASZ)) : std::span<const ElfW(Rela)>();
}

std::span<const ElfW(Rela)> DynamicTable::plt_relocations() const {
  return has(DT_JMPREL) ? file_.table<ElfW(Rela)>(value(DT_JMPREL), value(DT_PLTRELSZ)) : std::span<const ElfW(Rela)>();
}

// An even word is an address; an odd one has a bit for each of the 63 words behind those before.
std::vector<ElfW(Addr)> DynamicTable::relative_words() const {
  std::vector<ElfW(Addr)> words;
  if (!has(DT_RELR)) return words;
  ElfW(Addr) next = 0;
  for (const ElfW(Addr) entry : file_.table<ElfW(Addr)>(value(DT_RELR), value(DT_RELRSZ))) {
    if ((entry & 1) == 0) {
      words.push_back(entry);
      next = entry + sizeof(ElfW(Addr));
      continue;
    }
    constexpr unsigned kWords = sizeof(ElfW(Addr)) * CHAR_BIT - 1;
    for (unsigned bit = 0; bit < kWords; ++bit) {
      if ((entry >> (bit + 1) & 1) != 0) words.push_back(next + bit * sizeof(ElfW(Addr)));
    }
    next += kWords * sizeof(ElfW(Addr));
  }
  return words;
}

}  // namespace kaon::ampi
