// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// An exception on its way to who awaits what it left. Within a process it is the exception itself. To other processes
/// go its text and its type, when that is one of Kaon's or the standard's, or a listed one (exception_type.hpp);
/// anything else arrives as its nearest base of these, and as a RemoteError when that is std::runtime_error or
/// std::exception.
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
    std::string text, detail;
    if constexpr (Archive::is_saving) describe(kind, text, detail);
    archive(kind, text, detail, origin_);
    if constexpr (Archive::is_loading) restore(kind, text, detail);
  }

 private:
  void describe(std::uint8_t& kind, std::string& text, std::string& detail) const;
  void restore(std::uint8_t kind, const std::string& text, const std::string& detail);

  std::exception_ptr error_;
  std::string origin_;
};

/// Returns the text of an exception.
std::string text_of(const std::exception_ptr& error);

}  // namespace kaon::runtime
