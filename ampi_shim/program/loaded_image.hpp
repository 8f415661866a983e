// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <link.h>

#include <cstddef>
#include <memory>
#include <span>

#include "kaon/ampi_shim/program/entry_point.hpp"
#include "kaon/ampi_shim/program/exit_handlers.hpp"
#include "kaon/ampi_shim/program/hooks.hpp"
#include "kaon/ampi_shim/program/private_variables.hpp"
#include "kaon/ampi_shim/program/thread_locals.hpp"

namespace kaon::ampi {

class DynamicTable;
class ExecutableFile;
class ImageSlots;
class RelocationPlan;
class StandardStreams;

/// The program in memory once: text and constants shared with all images through the page cache, data of its own. One
/// rank's, or, when globals are shared, that of all ranks of a thread: `owner` is null then.
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
  LoadedImage(const Parts& parts, const ProgramHooks& hooks, void* owner);
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
  StandardStreams& streams() const { return *streams_; }

  /// A rank uses the image from now on, or does no more. Constructors run with the first one, destructors when the last
  /// one has ended: these on the stack of a rank, switched in.
  void count_rank() { ++ranks_; }
  void count_end() { --ranks_; }
  void construct(const EntryPoint& entry, int argc, char** argv, char** envp);
  void destruct(int code);
  bool is_constructing() const { return is_constructing_; }
  ExitHandlers& exit_handlers() { return exit_handlers_; }

 private:
  void run_constructors(const EntryPoint& entry, int argc, char** argv, char** envp);
  void run_destructors();
  void map_segments();
  void map_data(const ElfW(Phdr) & segment);
  void map_anonymous(std::size_t from, std::size_t to);
  void map_file(std::size_t address, std::size_t bytes, int protection, std::size_t offset);
  void run_functions(ElfW(Sxword) table, ElfW(Sxword) bytes, int argc, char** argv, char** envp);

  Parts parts_;
  std::byte* base_;
  std::unique_ptr<StandardStreams> streams_;
  ExitHandlers exit_handlers_;
  int ranks_ = 0;  // that have not ended; all of one thread
  bool is_constructed_ = false;
  bool is_constructing_ = false;
  bool is_destructed_ = false;
};

}  // namespace kaon::ampi
