// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "kaon/ampi_shim/program/hooks.hpp"
#include "kaon/ampi_shim/program/program_image.hpp"

namespace kaon::ampi {

class DynamicTable;
class ExecutableFile;
class ImageSlots;
class Libraries;
class RelocationPlan;

/// Which program, and how its ranks have it.
struct ProgramOptions {
  std::string path;
  /// One set of globals for all ranks of a thread: for programs that never write any. Private ones otherwise.
  bool share_globals = false;
  /// The most that this process will have. What only one can have is refused for more, or told.
  int ranks = 1;
  /// Address space for so many images is reserved at a time; more images reserve more.
  std::size_t images_at_a_time = 256;
  ProgramHooks hooks;
};

/// An ordinary position-independent executable, to be run by many ranks of this process as if each were a process of
/// its own. The dynamic linker loads such a file once, and never into a running program, so we map it ourselves: for
/// each rank the same text at another address, its own data, and relocations that were worked out once. The libraries
/// that it needs are loaded by the dynamic linker, once for all ranks.
class Program {
 public:
  /// Throws runtime::UsageError, which says what to do, for what cannot be run this way: a static executable or one at
  /// fixed addresses, a file of another kind or machine, a missing library or function. The library of the MPI
  /// functions must be loaded and filled in before.
  static std::unique_ptr<Program> open(ProgramOptions options);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The program for one rank, which the hooks know as `owner` (not null). Runs none of the program's code, but for
  /// resolvers of functions that have variants. Any thread; with shared globals, the thread that will run the rank. The
  /// program must outlive its images.
  std::unique_ptr<ProgramImage> load(void* owner);

  /// The place in the program's file of an address in one of the images; for other addresses `file` is null. Finding it
  /// takes no memory, so signal handlers can do it. Any thread.
  struct Place {
    const char* file = nullptr;
    std::uintptr_t offset = 0;  // from the start of the image
    std::string_view function;  // empty: unknown
  };
  Place place_of(const void* address) const noexcept;

  bool shares_globals() const { return options_.share_globals; }
  /// Bytes of thread-local variables, which each switch of ranks copies out and in.
  std::size_t thread_local_bytes() const { return thread_locals_.bytes; }

 private:
  explicit Program(ProgramOptions options);
  void* find_replacement(std::string_view name) const;
  void fit_thread_locals();
  void refuse_interpreter() const;
  std::shared_ptr<LoadedImage> load_image(void* owner);
  std::shared_ptr<LoadedImage> shared_image();

  ProgramOptions options_;
  std::unique_ptr<ExecutableFile> file_;
  std::unique_ptr<DynamicTable> table_;
  std::unique_ptr<Libraries> libraries_;
  std::unique_ptr<RelocationPlan> plan_;
  std::unique_ptr<ImageSlots> slots_;
  ThreadLocalBlock thread_locals_;
  std::mutex mutex_;  // of the following
  std::map<std::thread::id, std::shared_ptr<LoadedImage>> shared_images_;
};

}  // namespace kaon::ampi
