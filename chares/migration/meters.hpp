// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::runtime {
class Pe;
}

namespace kaon::chares {

class ElementTable;

/// Measurements of a PE while one of its arrays is balanced: the turns of entries, the work of devices for them, and
/// messages.
namespace meters {

void begin(runtime::Pe& pe);
/// Messages are counted as long as a balanced array of the PE wants that.
void look_at_traffic(runtime::Pe& pe);
/// The array of this table is balanced no longer.
void end(ElementTable& table);

}  // namespace meters
}  // namespace kaon::chares
