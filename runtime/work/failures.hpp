// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace kaon::runtime {

/// The error that ends the run of a PE, which is the first that is given, and where those come from that are on their
/// way to the tasks that await them.
class Failures {
 public:
  void add(std::exception_ptr error, std::string place) noexcept;
  bool any() const { return first_ != nullptr; }
  /// Once.
  void rethrow_first() {
    if (any()) [[unlikely]]
      std::rethrow_exception(std::exchange(first_, nullptr));
  }
  /// The place of the first error, also after that was thrown; empty if it is not known.
  const std::string& place() const { return place_; }

  /// Where an exception comes from that now goes to who awaits it, for the case that it ends the run there.
  void note_origin(const std::exception_ptr& error, std::string place);
  /// Empty when nothing was noted of it.
  std::string origin_of(const std::exception_ptr& error) const;

 private:
  std::exception_ptr first_;
  std::string place_;
  struct Origin {
    std::exception_ptr error;
    std::string place;
  };
  std::array<Origin, 4> origins_;  // of the latest
  std::size_t next_origin_ = 0;
};

}  // namespace kaon::runtime
