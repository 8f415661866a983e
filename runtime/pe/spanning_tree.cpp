// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/spanning_tree.hpp"

#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {

SpanningTree tree_from(PeId root, Pe& pe) { return {root, pe.process().roster()}; }

}  // namespace kaon::runtime
