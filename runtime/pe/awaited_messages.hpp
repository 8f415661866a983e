// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/messages/collection.hpp"
#include "kaon/runtime/pe/wait_report.hpp"

namespace kaon::runtime {

class Pe;
class Process;

/// Messages of one PE that wait for elements, of those that a function of its collections lists.
WaitReport awaited_messages(Pe& pe, std::uint64_t (Collection::*list)(std::vector<std::string>&, std::size_t) const);

/// At the end of a run, when its threads have ended: says which messages are dropped because their elements never came.
/// A warning: main has returned, and may have done so on purpose before all that was sent had arrived.
void warn_of_unclaimed_messages(Process& process);

}  // namespace kaon::runtime
