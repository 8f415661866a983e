// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <cstdint>

#include "kaon/machine_ucx/operation.hpp"
#include "kaon/machine_ucx/request_pool.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/ports/payload_epoch.hpp"
#include "kaon/runtime/ports/secret.hpp"

namespace kaon::machine_ucx {

// The tags under which payloads are sent and received.
//
// A receive takes the first payload of its tag, and nothing in the payload says whose it is. So what a stranger sends,
// who can count as we do, must not have the tag: source and counter carry 56 bits of the run's secret. Nor must what
// is left of an earlier epoch: that stands in the tag in clear, so that leftovers can be found and dropped.
class PayloadTags {
 public:
  explicit PayloadTags(const Secret& secret) : secret_(payload_secret(secret) & kSecretBits) {}

  [[nodiscard]] ucp_tag_t of(PeId source, std::uint32_t counter) const;
  // False: it is this one already.
  bool begin(std::uint8_t epoch) { return epoch_.begin(epoch); }

  // Takes payloads of earlier epochs that have come off the worker. Those under way are put into `finished` later.
  void drop_old(ucp_worker_h worker, RequestPool& pool, const ucp_request_param_t& parameters) const {
    if (epoch_.has_left_any()) [[unlikely]]
      drop_each(worker, pool, parameters);
  }

 private:
  static constexpr std::uint64_t kSecretBits = (std::uint64_t{1} << 56) - 1;

  void drop_each(ucp_worker_h worker, RequestPool& pool, const ucp_request_param_t& parameters) const;

  std::uint64_t secret_;
  PayloadEpoch epoch_;
};

}  // namespace kaon::machine_ucx
