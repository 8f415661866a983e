// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/early_lines.hpp"

#include "kaon/chares/elements/single_class.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {
namespace early {

/// None is ever made: the table of its kind is a place that each PE can have by itself, with lines of its own.
class Sender : public ElementBase {
 public:
  using IndexType = Index;
  using Family = Sender;
};

}  // namespace early

Orders* early_lines(Pe& pe) {
  ElementTable* const table = find_table(pe.collections(), SingleClass<early::Sender>::id());
  return table != nullptr ? &table->part<Orders>() : nullptr;
}

Orders& make_early_lines(Pe& pe) { return SingleClass<early::Sender>::table(pe).part<Orders>(); }

}  // namespace kaon::chares
