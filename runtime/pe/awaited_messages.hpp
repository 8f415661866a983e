// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/pe/wait_report.hpp"

namespace kaon::runtime {

class Pe;
class Process;

/// Messages of one PE that wait for elements, of those that a function of its collections lists.
WaitReport awaited_messages(Pe& pe, std::uint64_t (Collection::*list)(std::vector<std::string>&, std::size_t) const);

/// At the end of a run, when its threads have ended: whether messages of this process reached no element, because it
/// never came or had been deleted. Says which.
bool report_undelivered_messages(Process& process);

}  // namespace kaon::runtime
