// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/executable_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "kaon/ampi_shim/program/pages.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

#if defined(__x86_64__)
constexpr ElfW(Half) kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr ElfW(Half) kMachine = EM_AARCH64;
#endif

}  // namespace

ExecutableFile::ExecutableFile(std::string path) : path_(std::move(path)) {
  try {
    open();
    check_format();
    check_kind();
    measure();
  } catch (...) {
    release();
    throw;
  }
}

ExecutableFile::~ExecutableFile() { release(); }

void ExecutableFile::release() {
  if (contents_ != nullptr) munmap(const_cast<std::byte*>(contents_), size_);
  if (descriptor_ >= 0) close(descriptor_);
}

void ExecutableFile::refuse(const std::string& why) const {
  throw runtime::UsageError(fmt::format("cannot run {}: {}", path_, why));
}

void ExecutableFile::open() {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(std::strerror(errno));
  struct stat facts {};
  if (fstat(descriptor_, &facts) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) refuse("it is not a file");
  if (access(path_.c_str(), X_OK) != 0) refuse("it is not executable (chmod +x sets that)");
  size_ = static_cast<std::size_t>(facts.st_size);
  if (size_ < sizeof(ElfW(Ehdr))) refuse("it is not an executable (an ELF file)");
  void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (mapped == MAP_FAILED) refuse(std::strerror(errno));
  contents_ = static_cast<const std::byte*>(mapped);
}

void ExecutableFile::check_format() const {
  const ElfW(Ehdr)& elf = header();
  if (std::memcmp(contents_, "#!", 2) == 0) refuse("it is a script; name the program that it starts");
  if (std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) refuse("it is not an executable (an ELF file)");
  if (elf.e_machine != kMachine || elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_ident[EI_DATA] != ELFDATA2LSB) {
    refuse("it was compiled for another kind of machine");
  }
  const std::size_t end = elf.e_phoff + std::size_t{elf.e_phnum} * sizeof(ElfW(Phdr));
  if (elf.e_phentsize != sizeof(ElfW(Phdr)) || elf.e_phoff > size_ || end > size_) refuse("the file is damaged");
}

void ExecutableFile::check_kind() const {
  const auto* interpreter = find_header(PT_INTERP);
  const ElfW(Half) type = header().e_type;
  if (type == ET_EXEC && interpreter != nullptr) {
    refuse(
        "it can only be loaded at fixed addresses, so a process holds one; build it with ampicc, or with -fPIE -pie");
  }
  if (type == ET_EXEC || (type == ET_DYN && find_header(PT_DYNAMIC) != nullptr && interpreter == nullptr)) {
    refuse("it is linked statically (or is a library); build it with ampicc, or with -fPIE -pie and without -static");
  }
  if (type != ET_DYN) refuse("it is not a linked program (a .o file?)");
  if (find_header(PT_DYNAMIC) == nullptr) refuse("the file is damaged");
  const std::string_view loader = text_at(interpreter->p_vaddr);
  if (loader.find("ld-linux") == std::string_view::npos) {
    refuse(fmt::format("it needs a C library other than glibc ({})", loader));
  }
}

void ExecutableFile::measure() {
  alignment_ = page_bytes();
  for (const auto& segment : headers()) {
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > size_ || segment.p_filesz > size_ - segment.p_offset) refuse("the file is damaged");
    image_end_ = std::max<std::size_t>(image_end_, segment.p_vaddr + segment.p_memsz);
    alignment_ = std::max<std::size_t>(alignment_, segment.p_align);
  }
}

std::span<const ElfW(Phdr)> ExecutableFile::headers() const {
  return {reinterpret_cast<const ElfW(Phdr)*>(contents_ + header().e_phoff), header().e_phnum};
}

const ElfW(Phdr) * ExecutableFile::find_header(ElfW(Word) type) const {
  const auto all = headers();
  const auto found = std::find_if(all.begin(), all.end(), [type](const auto& each) { return each.p_type == type; });
  return found == all.end() ? nullptr : &*found;
}

const std::byte* ExecutableFile::bytes_at(ElfW(Addr) address, std::size_t bytes) const {
  for (const auto& segment : headers()) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::size_t inside = address - segment.p_vaddr;
    if (inside <= segment.p_filesz && bytes <= segment.p_filesz - inside) return contents_ + segment.p_offset + inside;
  }
  refuse("the file is damaged");
}

const char* ExecutableFile::text_at(ElfW(Addr) address) const {
  return reinterpret_cast<const char*>(bytes_at(address, 1));
}

}  // namespace kaon::ampi
