// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_wait.hpp"

#include <fmt/format.h>

namespace kaon::gpu {

std::string ChannelWait::describe() const {
  if (is_for_end_) return "for the other end of " + side_.describe() + " to be closed";
  return fmt::format("for round {} of {}", round_, side_.describe());
}

}  // namespace kaon::gpu
