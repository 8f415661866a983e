// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::runtime {
class Pe;
}  // namespace kaon::runtime

namespace kaon::chares {

using runtime::Pe;
class Orders;

/// The lines of a PE from senders that are no elements to elements of arrays which it had yet to make when it first
/// sent there. They stay until the end of the run. nullptr: there are none.
Orders* early_lines(Pe& pe);
Orders& make_early_lines(Pe& pe);

}  // namespace kaon::chares
