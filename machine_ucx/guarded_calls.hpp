// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::machine_ucx {

/// Redirects UCX's calls of the system that open sockets to the SocketGuard of the calling thread, once for the
/// process. Shared memory that UCX makes from then on has no permissions for a group. Throws UsageError if this UCX
/// makes these calls in a way that is not known.
void guard_calls_of_ucx();

}  // namespace kaon::machine_ucx
