// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cerrno>
#include <cstddef>
#include <memory>

#include "kaon/ampi_shim/program/hooks.hpp"

namespace kaon::ampi {

class LoadedImage;
struct LibcState;
struct ExceptionState;

/// What one rank has of the program: globals, thread-local variables, environment, standard streams, functions to call
/// at its exit, and the state that the C library keeps for a process (getopt's, rand's, strtok's ...). It is bound to
/// no thread: between switch_out() and switch_in() it may move to another.
class ProgramImage {
 public:
  ProgramImage(std::shared_ptr<LoadedImage> loaded, const ProgramHooks& hooks, void* owner);
  ~ProgramImage();
  ProgramImage(const ProgramImage&) = delete;
  ProgramImage& operator=(const ProgramImage&) = delete;

  /// On the rank's own stack, switched in: runs the constructors of the program's globals, its main with copies of
  /// these arguments, then what it has registered for its exit, its destructors, and flushes its streams. Returns the
  /// code that main returned or exit() got; exit() and _exit() come back here from any depth of calls without running
  /// destructors of local variables, as they do in a process. Once an image.
  int run_main(int argc, const char* const* argv, const char* const* envp);

  /// Right before the rank's stack runs on this thread, and right after it stopped to. What the program can see of the
  /// thread (errno, caught exceptions, thread-local variables) is the rank's own in between.
  void switch_in() noexcept;
  void switch_out() noexcept;

  /// Where a variable of the rank is now. The address of a thread-local variable means the same in all ranks, so a
  /// message that lands in one while its rank does not run must go to where it is kept meanwhile. Other addresses stay
  /// as they are. For ranks of this thread.
  void* locate(void* address) const noexcept;

  void* owner() const { return owner_; }
  /// The image that is switched in on this thread, or null.
  static ProgramImage* current() { return current_; }

 private:
  friend struct LibcState;
  static inline constinit thread_local ProgramImage* current_ = nullptr;

  std::shared_ptr<LoadedImage> loaded_;
  std::unique_ptr<LibcState> libc_;
  void* owner_;
};

}  // namespace kaon::ampi
