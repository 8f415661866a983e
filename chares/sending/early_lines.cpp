// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/early_lines.hpp"

#include "kaon/chares/chare.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/chares/single.hpp"

namespace kaon::chares {
namespace early {

/// None is ever made: the table of its kind is a place that each PE can have by itself, with lines of its own.
class Sender : public Chare<Sender> {};

}  // namespace early

Orders* early_lines(Pe& pe) {
  ElementTable* const table = find_table(pe.collections(), Singles<early::Sender>::id());
  return table != nullptr ? &table->part<Orders>() : nullptr;
}

Orders& make_early_lines(Pe& pe) {
  return table_of_singles(pe, Singles<early::Sender>::id(), element_type<early::Sender>()).part<Orders>();
}

}  // namespace kaon::chares
