// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The epoch of the payloads that a port sends and receives now, and those that it has left: what still comes of them
/// is dropped. Epochs are told apart modulo kEpochs, so the last payload of one is gone before its number comes again.
class PayloadEpoch {
 public:
  static constexpr std::uint32_t kEpochs = 16;

  std::uint8_t now() const { return now_; }
  /// False: it is this one already.
  bool begin(std::uint8_t epoch) {
    epoch %= kEpochs;
    if (epoch == now_) return false;
    left_ = static_cast<std::uint16_t>((left_ | 1u << now_) & ~(1u << epoch));
    now_ = epoch;
    return true;
  }
  bool has_left(std::uint8_t epoch) const { return (left_ >> epoch & 1u) != 0; }
  bool has_left_any() const { return left_ != 0; }

 private:
  std::uint8_t now_ = 0;
  std::uint16_t left_ = 0;  // a bit for each
};

}  // namespace kaon::runtime
