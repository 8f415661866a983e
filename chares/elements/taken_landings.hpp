// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/container/small_vector.hpp>
#include <cstddef>

#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::runtime {
struct Message;
}  // namespace kaon::runtime

namespace kaon::chares {

/// The memory into which messages of one element were landed whose entries have not run yet.
class TakenLandings {
 public:
  /// Throws UsageError when another message's payload was landed there.
  void check(const void* data, std::size_t bytes) const;
  void take(const Message& message, const void* data, std::size_t bytes);
  void let_go(const Message& message);

 private:
  struct Range {
    const Message* message;
    const std::byte* begin;
    const std::byte* end;
  };
  boost::container::small_vector<Range, 6> taken_;  // one for each face of a block
};

}  // namespace kaon::chares
