// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "kaon/ampi_shim/windows/operation_message.hpp"

namespace kaon::ampi {

/// Brings the accumulates that come to a rank as messages into the order of each origin: the network may bring them in
/// another one, and the standard promises that of the calls.
class OperationOrder {
 public:
  /// True: it is the next of its origin. False: it is kept.
  bool take_or_keep(ArrivedOperation& operation) {
    std::uint32_t& taken = taken_[operation.header.from];
    if (operation.header.sequence == taken) {
      ++taken;
      return true;
    }
    const std::pair key(operation.header.from, operation.header.sequence);
    early_.emplace(key, std::move(operation));
    return false;
  }
  /// One that was kept, and whose turn it is now; nothing: there is none.
  std::optional<ArrivedOperation> take_next(int origin) {
    if (early_.empty()) return std::nullopt;
    std::uint32_t& taken = taken_[origin];
    auto found = early_.extract({origin, taken});
    if (found.empty()) return std::nullopt;
    ++taken;
    return std::move(found.mapped());
  }

 private:
  boost::unordered_flat_map<std::int32_t, std::uint32_t> taken_;  // how many of each origin
  std::map<std::pair<std::int32_t, std::uint32_t>, ArrivedOperation> early_;
};

}  // namespace kaon::ampi
