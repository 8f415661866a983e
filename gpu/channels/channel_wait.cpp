// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_wait.hpp"

#include <fmt/format.h>

namespace kaon::gpu {

std::string ChannelWait::describe() const {
  if (for_ == For::end) return "for the other end of " + side_.describe() + " to be closed";
  if (for_ != For::round) return "for rounds on their way to where the other end of " + side_.describe() + " is now";
  return fmt::format("for round {} of {}", round_, side_.describe());
}

}  // namespace kaon::gpu
