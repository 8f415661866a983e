// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/chares/balancing/load_report.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares::balancing {

/// What Runtime::balance() and Runtime::rebalance() do.
Task<> begin(Pe& pe, CollectionId id, Strategy strategy);
Task<BalanceStep> step(Pe& pe, CollectionId id, Strategy strategy);

}  // namespace kaon::chares::balancing
