// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <link.h>

#include <cstddef>
#include <mutex>
#include <span>

#include "kaon/ampi_shim/program/entry_point.hpp"
#include "kaon/ampi_shim/program/private_variables.hpp"
#include "kaon/ampi_shim/program/thread_locals.hpp"

namespace kaon::ampi {

class DynamicTable;
class ExecutableFile;
class ImageSlots;
class RelocationPlan;

/// The program in memory once: text and constants shared with all images through the page cache, data of its own. One
/// rank's, or that of all when globals are shared.
class LoadedImage {
 public:
  struct Parts {
    const ExecutableFile& file;
    const DynamicTable& table;
    const RelocationPlan& plan;
    ImageSlots& slots;
    ThreadLocalBlock thread_locals;
  };
  /// Throws runtime::OutOfMemory.
  explicit LoadedImage(const Parts& parts);
  ~LoadedImage();
  LoadedImage(const LoadedImage&) = delete;
  LoadedImage& operator=(const LoadedImage&) = delete;

  /// Null when the program never names it.
  void* variable(PrivateVariable which) const;
  template <typename T>
  T* find(PrivateVariable which) const {
    return static_cast<T*>(variable(which));
  }
  ThreadLocals make_thread_locals() const;

  EntryPoint find_entry_point() const;
  /// Both on the stack of a rank that is switched in, once an image.
  void run_constructors(const EntryPoint& entry, int argc, char** argv, char** envp);
  void run_destructors();

 private:
  void map_segments();
  void map_data(const ElfW(Phdr) & segment);
  void map_anonymous(std::size_t from, std::size_t to);
  void map_file(std::size_t address, std::size_t bytes, int protection, std::size_t offset);
  void run_functions(ElfW(Sxword) table, ElfW(Sxword) bytes, int argc, char** argv, char** envp);

  Parts parts_;
  std::byte* base_;
};

}  // namespace kaon::ampi
