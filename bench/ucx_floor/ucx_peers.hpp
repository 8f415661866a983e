// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/ucx_floor/ucx_parts.hpp"

namespace kaon::bench {

/// Private memory that UCX alone takes for each of many peers that were sent one message: the first process sends, the
/// second has a worker for each peer. `socket` connects both. At the second, 0. Throws std::runtime_error.
double bytes_of_a_ucx_peer(int socket, bool is_first, int peers, const LinkSettings& settings);

}  // namespace kaon::bench
