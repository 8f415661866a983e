// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::ampi {

class DynamicTable;
class ExecutableFile;

/// The libraries that a program needs, loaded by the dynamic linker into this process, and the symbols that they have
/// for the program, in the order in which a process of its own would look: what was preloaded, then the program's
/// libraries.
class Libraries {
 public:
  /// Throws runtime::UsageError when a library cannot be loaded.
  Libraries(const ExecutableFile& file, const DynamicTable& table);
  ~Libraries();
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  /// Null when no library has it. An empty version takes the default one.
  void* find(std::string_view name, std::string_view version) const;

 private:
  void open_preloaded();
  void open_needed(const ExecutableFile& file, const DynamicTable& table);

  std::vector<void*> handles_;
  bool is_instrumented_ = false;  // for ThreadSanitizer, as this executable is
};

}  // namespace kaon::ampi
