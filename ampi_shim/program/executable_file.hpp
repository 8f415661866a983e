// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <link.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::ampi {

/// An executable on disk, known to be of a kind that we can load: its program headers, and the bytes that stand at an
/// address of its image. Addresses are the file's own, from 0 on.
class ExecutableFile {
 public:
  /// Throws runtime::UsageError with what to do instead.
  explicit ExecutableFile(std::string path);
  ~ExecutableFile();
  ExecutableFile(const ExecutableFile&) = delete;
  ExecutableFile& operator=(const ExecutableFile&) = delete;

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

  /// All of the file.
  std::span<const std::byte> contents() const { return {contents_, size_}; }
  std::span<const ElfW(Phdr)> headers() const;
  /// The first of this type, or null.
  const ElfW(Phdr) * find_header(ElfW(Word) type) const;
  ElfW(Addr) entry() const { return header().e_entry; }

  /// Where the last segment ends, and what the start of an image must be a multiple of.
  std::size_t image_end() const { return image_end_; }
  std::size_t alignment() const { return alignment_; }

  /// A table of the image that the file holds. Throws runtime::UsageError when it is not wholly inside.
  template <typename T>
  std::span<const T> table(ElfW(Addr) address, std::size_t bytes) const {
    return {reinterpret_cast<const T*>(bytes_at(address, bytes)), bytes / sizeof(T)};
  }
  /// A string of at most `limit` bytes at `address`.
  const char* text_at(ElfW(Addr) address) const;

  /// Throws runtime::UsageError: the file, and what is wrong with it.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const ElfW(Ehdr) & header() const { return *reinterpret_cast<const ElfW(Ehdr)*>(contents_); }
  const std::byte* bytes_at(ElfW(Addr) address, std::size_t bytes) const;
  void open();
  void release();
  void check_format() const;
  void check_kind() const;
  void measure();

  std::string path_;
  int descriptor_ = -1;
  const std::byte* contents_ = nullptr;
  std::size_t size_ = 0;
  std::size_t image_end_ = 0;
  std::size_t alignment_ = 0;
};

}  // namespace kaon::ampi
