// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/network_staging.hpp"

#include "kaon/gpu/engines/staged_transfer.hpp"

namespace kaon::gpu {

bool NetworkStaging::submit(const Passage& passage) {
  StagedTransfer::start(*this, passage);
  return false;
}

}  // namespace kaon::gpu
