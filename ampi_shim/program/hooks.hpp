// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace kaon::ampi {

/// A function that the program gets in the place of the library's of this name, wherever its own code calls it or takes
/// its address. Calls from inside of other libraries are not touched.
struct Replacement {
  std::string_view name;
  void* function = nullptr;
};

/// The functions that an ordinary program leaves to the process, and one rank of many cannot. `owner` is the argument
/// that the image was loaded with. None of these may switch to another rank or throw.
struct ProgramHooks {
  /// Bytes that the rank wrote to its standard output (1) or error (2), in pieces of any length. Calls for one owner
  /// and stream never overlap, but may come from another thread, as fflush(nullptr) writes the output of all ranks.
  /// Null: to the process' own stream. False: some of it is lost, and errno says why.
  bool (*write)(void* owner, int stream, const char* data, std::size_t bytes) = nullptr;
  /// Reads at most `bytes` of standard input; 0 at its end. Null: there is none.
  std::size_t (*read)(void* owner, char* into, std::size_t bytes) = nullptr;
  /// The rank called abort() or an assertion failed, which it has said on its standard error. Null: abort().
  void (*abort)(void* owner) = nullptr;
  /// The rank ends with this code. Does not return where it runs on a stack that the program was not started on, or on
  /// a thread that the program has made. Null: it always does.
  void (*ends)(void* owner, int code) = nullptr;
  /// Before those that program/ has itself: sleep, sched_yield and whatever else must not hold up a thread of many
  /// ranks.
  std::span<const Replacement> replacements;
};

}  // namespace kaon::ampi
