// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kaon/gpu/backends/backend.hpp"
#include "kaon/runtime/ports/seat.hpp"

namespace kaon::gpu {

/// The variables by which a vendor's users say which devices a process sees, as they read them: `first` names devices
/// among those that `below`, where the vendor has it, leaves.
struct VisibilityVariables {
  const char* first;
  const char* below;  // nullptr: there is none
};
VisibilityVariables visibility_variables(Backend vendor);

/// The devices of a list such as "0,2", "GPU-8932f937,MIG-c6d4f1ef" or "" (no device), which `variable` holds. What
/// follows an entry such as -1 is not visible. Throws UsageError for entries that the vendor would take for the end of
/// the list without saying so.
std::vector<std::string> visible_entries(std::string_view variable, std::string_view list);

/// The devices that all processes of a host see: what the variables name, else all that are installed.
std::vector<std::string> visible_devices(Backend vendor, int installed);

/// Returns the one of `devices` for a process, by its seat among those of its host. With fewer devices than processes
/// they are shared. Empty if there are none.
std::string device_of(const std::vector<std::string>& devices, const Seat& seat);
/// For process 0 of a host with fewer devices than processes; else empty. `are_given`: a variable names them.
std::string sharing_warning(std::size_t devices, bool are_given, const Seat& seat);

/// Before the first call of the vendor's library: a process that sees several devices would take memory on all of them,
/// so each of several processes of a host takes its own. Returns what to warn of; empty: nothing.
std::string choose_visible_device(Backend vendor, const Seat& seat);

}  // namespace kaon::gpu
