// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <link.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/ampi_shim/program/private_variables.hpp"

namespace kaon::ampi {

class DynamicTable;
class ExecutableFile;
class Libraries;

/// The words to write into each image, worked out once: libraries are the same for all images, so an image costs no
/// search for symbols. Offsets count from the image's start.
class RelocationPlan {
 public:
  /// Finds the function that replaces one of a library for the program; null for none.
  using FindReplacement = std::function<void*(std::string_view)>;

  /// Throws runtime::UsageError when the program needs what no library has, or relocations that we do not know.
  RelocationPlan(const ExecutableFile& file, const DynamicTable& table, const Libraries& libraries,
                 const FindReplacement& find_replacement);

  /// Writes the words of an image whose segments are mapped from `base` on. Calls the program's own resolvers.
  void apply(std::byte* base) const;

  /// Bytes that each image has behind its last segment, for private variables that the program does not hold itself.
  std::size_t bytes_behind() const { return end_ - image_end_; }
  /// Where the image has this variable; null when the program never names it.
  void* variable(std::byte* base, PrivateVariable which) const;

 private:
  struct Word {
    std::size_t offset;
    std::uint64_t value;
  };
  struct Copy {
    std::size_t offset;
    const void* source;
    std::size_t bytes;
  };
  struct Target;
  class Builder;

  std::vector<Word> relative_;  // the value counts from the image's start
  std::vector<Word> absolute_;
  std::vector<Word> resolvers_;  // a function of the image that returns the value
  std::vector<Copy> copies_;
  std::array<std::size_t, kPrivateVariables> variables_{};  // 0: nowhere
  std::size_t image_end_ = 0;
  std::size_t end_ = 0;
};

}  // namespace kaon::ampi
