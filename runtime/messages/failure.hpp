// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// An exception on its way to who awaits what it left. Within a process it is the exception itself; to other processes
/// go its text and which of Kaon's errors it was, and anything else arrives as a RemoteError.
class Failure {
 public:
  Failure() = default;
  Failure(std::exception_ptr error, std::string origin) : error_(std::move(error)), origin_(std::move(origin)) {}
  const std::exception_ptr& error() const { return error_; }
  /// The entry that it left.
  const std::string& origin() const { return origin_; }

  template <class Archive>
  void pup(Archive& archive) {
    std::uint8_t kind = 0;
    std::string text;
    if constexpr (Archive::is_saving) describe(kind, text);
    archive(kind, text, origin_);
    if constexpr (Archive::is_loading) restore(kind, text);
  }

 private:
  void describe(std::uint8_t& kind, std::string& text) const;
  void restore(std::uint8_t kind, const std::string& text);

  std::exception_ptr error_;
  std::string origin_;
};

/// What an exception says.
std::string text_of(const std::exception_ptr& error);

}  // namespace kaon::runtime
