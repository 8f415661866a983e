// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kaon/runtime/launch/line_merger.hpp"

namespace kaon::launch {

// A descriptor that somebody else reads at a speed of his own: a file, a pipe, a terminal. What it does not take at
// once waits in memory, so that a slow reader does not stop the caller. The descriptor is shared with others and stays
// as it is: it is not made non-blocking, but asked before each write.
class OutputFile final : public LineSink {
 public:
  // It stays the caller's.
  explicit OutputFile(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view bytes) override;
  // Writes what it takes now.
  void flush();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] std::size_t unwritten() const noexcept { return waiting_.size() - written_; }
  // The errno of the write that failed; what comes later is dropped. 0: none has.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  std::size_t write_some(std::string_view bytes);
  [[nodiscard]] bool takes_some() const;

  int descriptor_;
  int error_ = 0;
  std::string waiting_;
  std::size_t written_ = 0;  // bytes at the front of waiting_
};

}  // namespace kaon::launch
