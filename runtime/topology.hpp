// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon {

/// Cores this process may use: its affinity, cut down by the cgroup's quota. At least 1.
int usable_cores();
/// PEs of a process when nobody says how many: its share of the usable cores, at least 1.
int default_pes(int processes_on_host);
bool is_oversubscribed(int processes_on_host, int pes_per_process);
/// Binds the calling thread to a core of its own, unless there are too few or somebody has bound the process already.
/// Returns what was done.
bool pin_this_thread(int process_on_host, int processes_on_host, int local_pe, int pes_per_process);

}  // namespace kaon
