// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/segment.hpp"

#include <fmt/format.h>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

SegmentRange share_segment(const void* memory, std::size_t bytes) {
  DevicePayloads& here = these_payloads();
  return here.platform().segments().share(here.device(), memory, bytes);
}

void* open_segment(const SegmentRange& range, std::size_t element_bytes) {
  if (range.bytes() % element_bytes != 0)
    throw UsageError(
        fmt::format("{} shared bytes are no whole elements of {} bytes: open them as the type of the "
                    "buffer that was shared",
                    range.bytes(), element_bytes));
  DevicePayloads& here = these_payloads();
  return here.platform().segments().open(here.device(), range);
}

}  // namespace kaon::gpu
