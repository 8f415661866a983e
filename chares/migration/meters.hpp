// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::runtime {
class Pe;
}

namespace kaon::chares {

class ElementTable;

/// What a PE is asked to measure as long as one of its arrays is balanced: turns of entries, what devices do for them,
/// and messages.
namespace meters {

void begin(runtime::Pe& pe);
/// Messages are counted as long as a balanced array of the PE wants that.
void look_at_traffic(runtime::Pe& pe);
/// The array of this table is balanced no longer.
void end(ElementTable& table);

}  // namespace meters
}  // namespace kaon::chares
