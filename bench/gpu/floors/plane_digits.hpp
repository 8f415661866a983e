// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "examples/jacobi3d/support/geometry.hpp"

namespace kaon::bench {

// Whether one sweep on the first device over random values, with random planes beyond all faces, leaves what the
// processor's leaves: the values, the six outgoing planes and the largest change.
bool planes_agree(const jacobi3d::Triple& shape);

}  // namespace kaon::bench
