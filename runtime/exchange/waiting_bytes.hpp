// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace kaon::runtime {

/// Bytes of a PE's messages that wait for slow receivers, and how many may.
class WaitingBytes {
 public:
  explicit WaitingBytes(std::size_t limit) : limit_(limit) {}

  void add(std::size_t bytes) { bytes_ += bytes; }
  void remove(std::size_t bytes) { bytes_ -= bytes; }
  std::size_t bytes() const { return bytes_; }
  /// True if more bytes wait than the limit allows: no more is to be sent then.
  bool is_full() const { return bytes_ > limit_; }

 private:
  std::size_t bytes_ = 0;
  std::size_t limit_;
};

}  // namespace kaon::runtime
