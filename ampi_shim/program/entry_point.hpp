// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

/// The functions that a program's first instructions hand to the C library.
struct EntryPoint {
  using Main = int (*)(int, char**, char**);
  Main main = nullptr;
  /// Runs the constructors in programs that were linked before glibc 2.34; null in others.
  Main initialize = nullptr;
};

/// Runs the program's first instructions up to where they call the C library, which is the only place that is sure to
/// name main: programs without symbols, with main in an archive or with any parameters all come by here. It needs the
/// program's __libc_start_main to be record_entry_point.
EntryPoint find_entry_point(void* first_instruction);

/// Stands in the place of __libc_start_main.
extern "C" int kaon_record_entry_point(EntryPoint::Main main, int count, char** arguments, EntryPoint::Main initialize);

}  // namespace kaon::ampi
