// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "kaon/gpu/puts/segment_table.hpp"
#include "kaon/gpu/queues/adapter_engine.hpp"

namespace kaon::gpu {

/// The reason of a status, and the remedy.
std::string text_of(RequestStatus status);
/// The request with the names of its segments, and the reason of its status.
std::string text_of(const RequestFault& fault, const SegmentTable& segments);

}  // namespace kaon::gpu
