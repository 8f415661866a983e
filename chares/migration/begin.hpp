// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/chares/migration/strategy.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares::balancing {

/// The implementations of Runtime::balance(), Runtime::rebalance() and Runtime::balancing_report().
Task<> begin(Pe& pe, CollectionId id, Strategy strategy);
Task<BalanceStep> step(Pe& pe, CollectionId id, Strategy strategy);
BalancingReport report(Pe& pe, CollectionId id);

}  // namespace kaon::chares::balancing
