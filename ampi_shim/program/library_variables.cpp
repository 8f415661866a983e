// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/library_variables.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>

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

/// Compilers and linkers put up to two words of their own into the written sections of every library.
constexpr std::size_t kOfCompiler = 2 * sizeof(void*);

bool has_variables(const std::string& path) {
  const Contents file(path);
  const auto header = file.at<ElfW(Ehdr)>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto sections = file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum);
  if (header[0].e_shstrndx >= sections.size()) return false;
  const auto& names = sections[header[0].e_shstrndx];
  return std::any_of(sections.begin(), sections.end(), [&](const ElfW(Shdr) & section) {
    const auto name = file.at<char>(names.sh_offset + section.sh_name, sizeof ".data");
    if (name.empty()) return false;
    const bool is_written = std::strncmp(name.data(), ".data", sizeof ".data") == 0 ||
                            std::strncmp(name.data(), ".bss", sizeof ".bss") == 0;
    return is_written && section.sh_size > kOfCompiler;
  });
}

/// Made to be shared by all that is in a process, also where a program brings a copy.
bool is_of_system(std::string_view name) {
  constexpr std::string_view kNames[] = {"libmpi_abi.", "libstdc++.",   "libgcc_s.",  "libgomp.",
                                         "libomp.",     "libgfortran.", "libcu",      "libnv",
                                         "libamdhip",   "librocm",      "libpthread."};
  return std::any_of(std::begin(kNames), std::end(kNames), [name](auto each) { return name.starts_with(each); });
}

fs::path folder_of(const std::string& program) {
  std::error_code ignored;
  const fs::path folder = fs::canonical(program, ignored).parent_path();
  return folder.filename() == "bin" ? folder.parent_path() : folder;
}

}  // namespace

std::vector<std::string> own_libraries_with_variables(const std::string& program) {
  const std::string folder = folder_of(program).string() + "/";
  if (folder == "/" || folder == "//" || folder == "/usr/" || folder == "/usr/local/") return {};
  std::vector<std::string> loaded, found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        static_cast<std::vector<std::string>*>(all)->emplace_back(info->dlpi_name);
        return 0;
      },
      &loaded);
  for (const std::string& each : loaded) {
    std::error_code failure;
    const fs::path path = fs::canonical(each, failure);
    if (failure || !path.string().starts_with(folder) || is_of_system(path.filename().string())) continue;
    if (has_variables(path.string())) found.push_back(path.filename().string());
  }
  return found;
}

}  // namespace kaon::ampi
