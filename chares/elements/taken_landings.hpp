// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/container/small_vector.hpp>
#include <cstddef>

#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::chares {

/// The memory into which messages of one element were landed whose entries have not ended yet.
class TakenLandings {
 public:
  /// Throws UsageError when another message's payload was landed there.
  void check(const void* data, std::size_t bytes) const;
  void take(const void* key, const void* data, std::size_t bytes);
  void change_key(const void* from, const void* to);
  void let_go(const void* key);
  bool empty() const { return taken_.empty(); }

 private:
  struct Range {
    const void* key;  // of the message
    const std::byte* begin;
    const std::byte* end;
  };
  boost::container::small_vector<Range, 6> taken_;  // one for each face of a block
};

}  // namespace kaon::chares
