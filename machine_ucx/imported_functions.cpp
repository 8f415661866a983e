// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/imported_functions.hpp"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kaon::machine_ucx {
namespace {

struct Redirection {
  std::string_view library;
  std::string_view function;
  void* replacement = nullptr;
  bool is_done = false;
};

bool is_named(std::string_view path, std::string_view library) {
  const std::string_view file = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (!file.starts_with(library)) return false;
  const std::string_view rest = file.substr(library.size());
  return rest.starts_with(".so") || rest.starts_with("-");
}

/// Part of a loaded library that the dynamic linker reads.
class DynamicSection {
 public:
  explicit DynamicSection(const dl_phdr_info& info) : base_(info.dlpi_addr) {
    for (const ElfW(Phdr) & header : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
      if (header.p_type == PT_DYNAMIC) entries_ = reinterpret_cast<const ElfW(Dyn)*>(base_ + header.p_vaddr);
      if (header.p_type != PT_GNU_RELRO) continue;
      read_only_begin_ = base_ + header.p_vaddr;
      read_only_end_ = read_only_begin_ + header.p_memsz;
    }
  }

  /// Calls `use` with each place that holds the address of an imported symbol, and the name of that.
  void each_import(const auto& use) const {
    if (entries_ == nullptr) return;
    const auto* symbols = at<ElfW(Sym)>(DT_SYMTAB);
    const char* names = at<char>(DT_STRTAB);
    if (symbols == nullptr || names == nullptr) return;
    for (const auto& [table, bytes] : {std::pair{DT_JMPREL, DT_PLTRELSZ}, std::pair{DT_RELA, DT_RELASZ}}) {
      const auto* first = at<ElfW(Rela)>(table);
      if (first == nullptr) continue;
      for (const ElfW(Rela) & relocation : std::span(first, value(bytes) / sizeof(ElfW(Rela)))) {
        const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(relocation.r_info)];
        if (symbol.st_shndx != SHN_UNDEF || symbol.st_name == 0 || relocation.r_addend != 0) continue;
        use(std::string_view(names + symbol.st_name), base_ + relocation.r_offset);
      }
    }
  }

  /// Whether the linker has made it read-only when it was done.
  bool is_read_only(ElfW(Addr) address) const { return address >= read_only_begin_ && address < read_only_end_; }

 private:
  ElfW(Addr) value(ElfW(Sxword) tag) const {
    for (const auto* entry = entries_; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == tag) return entry->d_un.d_ptr;
    return 0;
  }
  // Some linkers leave the offsets of the file there, others the addresses in memory.
  template <class T>
  const T* at(ElfW(Sxword) tag) const {
    const ElfW(Addr) found = value(tag);
    if (found == 0) return nullptr;
    return reinterpret_cast<const T*>(found < base_ ? base_ + found : found);
  }

  ElfW(Addr) base_;
  const ElfW(Dyn) * entries_ = nullptr;
  ElfW(Addr) read_only_begin_ = 0;
  ElfW(Addr) read_only_end_ = 0;
};

bool write_pointer(ElfW(Addr) address, void* value, bool is_read_only) {
  const auto page_bytes = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  void* const page = reinterpret_cast<void*>(address & ~(page_bytes - 1));
  if (is_read_only && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  std::atomic_ref<void*>(*reinterpret_cast<void**>(address)).store(value, std::memory_order_release);
  if (is_read_only) mprotect(page, page_bytes, PROT_READ);
  return true;
}

int redirect_in(dl_phdr_info* info, std::size_t, void* argument) {
  auto& wanted = *static_cast<Redirection*>(argument);
  if (!is_named(info->dlpi_name, wanted.library)) return 0;
  const DynamicSection section(*info);
  section.each_import([&](std::string_view name, ElfW(Addr) place) {
    if (name == wanted.function && write_pointer(place, wanted.replacement, section.is_read_only(place)))
      wanted.is_done = true;
  });
  return 0;
}

}  // namespace

bool redirect_import(const char* library, const char* function, void* replacement) {
  Redirection wanted{library, function, replacement};
  dl_iterate_phdr(redirect_in, &wanted);
  return wanted.is_done;
}

}  // namespace kaon::machine_ucx
