// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <csetjmp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kaon/ampi_shim/program/hooks.hpp"
#include "kaon/ampi_shim/program/libc_state.hpp"
#include "kaon/ampi_shim/program/running_thread.hpp"
#include "kaon/ampi_shim/program/thread_locals.hpp"

namespace kaon::ampi {

struct EntryPoint;
class LoadedImage;
class StandardStreams;

/// The state of the program in one rank: globals, thread-local variables, environment, standard streams and functions
/// to call at its exit. It includes the C library's state of a process (getopt's, rand's, strtok's ...). It is bound to
/// no thread: between switch_out() and switch_in() it may move to another.
class alignas(64) ProgramImage {
 public:
  ProgramImage(std::shared_ptr<LoadedImage> loaded, const ProgramHooks& hooks, void* owner, bool shares_globals);
  ~ProgramImage();
  ProgramImage(const ProgramImage&) = delete;
  ProgramImage& operator=(const ProgramImage&) = delete;

  /// On the rank's own stack, switched in: runs the constructors of the program's globals, its main with copies of
  /// these arguments, then what it has registered for its exit, its destructors, and flushes its streams. Returns the
  /// code that main returned or exit() got; exit() and _exit() come back here from any depth of calls without running
  /// destructors of local variables, as they do in a process. Once an image.
  int run_main(int argc, const char* const* argv, const char* const* envp);

  /// Right before the rank's stack runs on this thread, and right after it stopped to. What the program can see of the
  /// thread (errno, thread-local variables) is the rank's own in between; its caught exceptions go with its stack.
  void switch_in() noexcept;
  void switch_out() noexcept;

  /// The thread-local variables of the rank, while it runs on this thread; empty: it has none. Those of all ranks have
  /// the same addresses: who reads or writes them while the rank does not run must be SwitchedIn.
  std::span<const std::byte> thread_locals() const noexcept { return thread_locals_.window(); }

  /// Passes on what the rank has written and its standard streams still hold. On its thread, and before it is ended
  /// from outside: nothing is lost when it ends by itself.
  void flush() const;

  void* owner() const { return owner_; }
  /// The first of the arguments.
  const char* name() const { return arguments_.empty() || arguments_[0] == nullptr ? "" : arguments_[0]; }
  /// The image that is switched in on this thread, or null.
  static ProgramImage* current() { return current_; }
  /// That, or the one of the rank that has made this thread, as long as there is one.
  static ProgramImage* calling() noexcept;

  // For what stands in the place of the C library's functions.
  LibcState& libc() { return libc_; }
  /// True if this is the thread that runs the rank, rather than one which the rank has made.
  bool runs_here() const { return thread_ == &RunningThread::here(); }
  StandardStreams& streams() const;
  /// Ends the rank as exit() does, or, without running anything, as _exit() does.
  [[noreturn]] void exit(int code);
  [[noreturn]] void leave(int code);
  [[noreturn]] void abort();
  /// Functions that are registered while constructors of globals run belong to the globals.
  ExitHandlers& exit_handlers();
  /// A thread's reference to the rank that made it. The thread may outlive the rank, in the pool of a library, and also
  /// begin after the rank is gone: it takes nothing from the image to begin.
  struct Maker {
    explicit Maker(ProgramImage& rank);
    std::atomic<ProgramImage*> image;  // null when it has gone
    const ThreadLocals thread_locals;  // as they begin
  };
  using Life = std::shared_ptr<Maker>;
  /// The reference to the rank that calling() names; null without one.
  static Life calling_life();
  /// On such a thread, as it begins: it has thread-local variables of its own.
  static void enter_new_thread(Life maker);

 private:
  void keep_arguments(int argc, const char* const* argv);
  void start_variables(const char* const* envp);
  void run() noexcept;
  void construct(const EntryPoint& entry, int argc);
  void finish();
  void take_libraries();
  void leave_libraries();

  static inline constinit thread_local ProgramImage* current_ = nullptr;

  // What each switch touches comes first, in a cache line.
  ThreadLocals thread_locals_;
  const RunningThread* thread_ = nullptr;  // that runs the rank: exit() of another thread cannot come back to run_main
  int errno_ = 0;
  bool switches_variables_ = false;  // those of the library, which ranks with shared globals have in one place
  bool shares_globals_;
  bool has_libraries_ = false;  // runs what constructs or destroys globals, which images do in turns
  bool has_ended_ = false;

  std::shared_ptr<LoadedImage> loaded_;
  const ProgramHooks& hooks_;
  void* owner_;
  int code_ = 0;
  std::jmp_buf* exit_point_ = nullptr;
  std::vector<std::string> argument_strings_;
  std::vector<char*> arguments_;
  LibcState libc_;
  Life life_;  // null until the rank makes a thread
};

}  // namespace kaon::ampi
