// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/library_variables.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kaon/runtime/base/log.hpp"

namespace kaon::ampi {
namespace {

namespace fs = std::filesystem;

/// A file's bytes; none where it cannot be read.
class Contents {
 public:
  explicit Contents(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat facts {};
    const std::size_t bytes = fstat(file, &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : 0;
    void* const memory = bytes > 0 ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (memory != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(memory), bytes};
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
  ~Contents() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  /// So many objects at this place; none where that is not wholly inside.
  template <class T>
  std::span<const T> at(std::size_t offset, std::size_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    return {reinterpret_cast<const T*>(bytes_.data() + offset), count};
  }

 private:
  std::span<const std::byte> bytes_;
};

/// What compilers and linkers put into the written sections of every library, and <iostream> in those that
/// include it: an object without state.
bool is_of_compiler(std::string_view symbol) {
  constexpr std::string_view kNames[] = {"completed.", "__dso_handle", "DW.ref.", "_ZStL8__ioinit", "__TMC_END__"};
  return std::any_of(std::begin(kNames), std::end(kNames), [symbol](auto each) { return symbol.starts_with(each); });
}

/// The sections of a library's file.
class Sections {
 public:
  explicit Sections(const Contents& file) : file_(file) {
    const auto header = file.at<ElfW(Ehdr)>(0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return;
    is_known_ = header[0].e_shnum > 0;
    all_ = file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum);
    if (header[0].e_shstrndx < all_.size()) names_ = &all_[header[0].e_shstrndx];
    for (const auto& segment : file.at<ElfW(Phdr)>(header[0].e_phoff, header[0].e_phnum))
      if (segment.p_type == PT_GNU_RELRO) constant_ = {segment.p_vaddr, segment.p_vaddr + segment.p_memsz};
  }

  /// True as well where the file says nothing of its sections. A thread-local variable is the thread's, which all ranks
  /// of a PE share.
  bool have_variables() const {
    if (!is_known_) return true;
    if (std::any_of(all_.begin(), all_.end(), [](const auto& each) { return (each.sh_flags & SHF_TLS) != 0; }))
      return true;
    const auto symbols =
        std::find_if(all_.begin(), all_.end(), [](const auto& each) { return each.sh_type == SHT_SYMTAB; });
    return symbols != all_.end() ? has_variable(*symbols)
                                 : std::any_of(all_.begin(), all_.end(), [this](const auto& each) {
                                     return is_written(each) && is_larger_than_empty(each);
                                   });
  }

 private:
  bool has_variable(const ElfW(Shdr) & table) const {
    const auto symbols = file_.at<ElfW(Sym)>(table.sh_offset, table.sh_size / sizeof(ElfW(Sym)));
    return std::any_of(symbols.begin(), symbols.end(), [&](const ElfW(Sym) & each) {
      return ELF64_ST_TYPE(each.st_info) == STT_OBJECT && each.st_size > 0 && each.st_shndx < all_.size() &&
             is_written(all_[each.st_shndx]) && !is_of_compiler(text(all_[table.sh_link], each.st_name));
    });
  }

  /// While the program runs: what relocation alone writes is constant then, and tables of addresses are no variables.
  bool is_written(const ElfW(Shdr) & section) const {
    constexpr ElfW(Xword) kFlags = SHF_WRITE | SHF_ALLOC;
    const bool is_constant = section.sh_addr >= constant_.first && section.sh_addr < constant_.second;
    const std::string_view name = names_ != nullptr ? text(*names_, section.sh_name) : "";
    return (section.sh_flags & kFlags) == kFlags && !is_constant &&
           (section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS) && !name.starts_with(".got") &&
           !name.starts_with(".data.rel.ro") && !name.starts_with(".plt") && !name.starts_with(".tm_clone_table");
  }

  /// Where symbols were stripped: in a library without variables the compiler has one word in .data, and one byte in
  /// .bss that a linker may have rounded up. Up to seven bytes that need no alignment are not seen there.
  static bool is_larger_than_empty(const ElfW(Shdr) & section) {
    return section.sh_size > sizeof(void*) ||
           (section.sh_type == SHT_NOBITS && section.sh_size > 0 && section.sh_addralign > 1);
  }

  std::string_view text(const ElfW(Shdr) & strings, std::size_t offset) const {
    if (offset >= strings.sh_size) return {};
    const auto bytes = file_.at<char>(strings.sh_offset + offset, strings.sh_size - offset);
    return {bytes.data(), strnlen(bytes.data(), bytes.size())};
  }

  const Contents& file_;
  bool is_known_ = false;
  std::span<const ElfW(Shdr)> all_;
  const ElfW(Shdr) * names_ = nullptr;
  std::pair<ElfW(Addr), ElfW(Addr)> constant_;  // addresses that are written before the program runs, and then no more
};

bool has_variables(const std::string& path) {
  const Contents file(path);
  return Sections(file).have_variables();
}

/// Made to be shared by all that is in a process, also where a program brings a copy.
bool is_made_for_sharing(std::string_view name) {
  constexpr std::string_view kNames[] = {
      // of the C library, compilers, sanitizers
      "libc.so.", "libm.so.", "libpthread.so.", "ld-linux", "libstdc++.", "libc++.", "libc++abi.", "libgcc_s.",
      "libunwind.", "libgfortran.", "libquadmath.", "libasan.", "libtsan.", "libubsan.", "liblsan.", "libclang_rt.",
      // for threads, memory, linear algebra
      "libmpi_abi.", "libgomp.", "libomp.", "libiomp5.", "libtbb.", "libtbbmalloc", "libhwloc.", "libnuma.",
      "libjemalloc.", "libtcmalloc", "libmimalloc.", "libopenblas", "libmkl_",
      // vendors'
      "libcuda", "libcudnn", "libcublas", "libcufft", "libcurand", "libcusolver", "libcusparse", "libcupti.",
      "libnvidia-", "libnvrtc", "libnvJitLink.", "libnvToolsExt.", "libnccl.", "libamdhip", "librocm", "librccl."};
  return std::any_of(std::begin(kNames), std::end(kNames), [name](auto each) { return name.starts_with(each); });
}

/// Such a one is loaded before the program, and the user's all the same.
bool is_preloaded(const std::string& path) {
  const char* names = std::getenv("LD_PRELOAD");
  return names != nullptr && std::string_view(names).find(fs::path(path).filename().string()) != std::string_view::npos;
}

bool is_in_folder_of_system(const fs::path& library) {
  constexpr std::string_view kFolders[] = {"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [path = library.string()](auto each) { return path.starts_with(each); });
}

std::vector<std::string> own_libraries_with_variables(const std::set<std::string>& before) {
  std::vector<std::string> found;
  for (const std::string& each : loaded_libraries()) {
    if (each.empty() || (before.contains(each) && !is_preloaded(each))) continue;
    std::error_code failure;
    const fs::path path = fs::canonical(each, failure);
    if (failure || is_in_folder_of_system(path) || is_made_for_sharing(path.filename().string())) continue;
    if (has_variables(path.string())) found.push_back(path.filename().string());
  }
  return found;
}

}  // namespace

std::set<std::string> loaded_libraries() {
  std::set<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        static_cast<std::set<std::string>*>(found)->insert(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

void warn_of_shared_variables(const std::set<std::string>& before) {
  const auto shared = own_libraries_with_variables(before);
  if (shared.empty()) return;
  constexpr std::size_t kNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(shared.size(), kNamed); ++i) names += (i == 0 ? "" : ", ") + shared[i];
  if (shared.size() > kNamed) names += " and " + std::to_string(shared.size() - kNamed) + " more";
  runtime::log_warn("the ranks of a process share the variables of the program's own libraries (" + names +
                    "). If each rank must have its own, link these statically, or give each rank a process "
                    "(ampirun --ranks-per-process 1)");
}

}  // namespace kaon::ampi
