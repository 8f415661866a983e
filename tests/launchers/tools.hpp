// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kaon::testing {

/// The path of a program of the system. Fails the test when it is not installed.
std::string tool(const std::string& name);

/// mpirun with options before the program, and with what lets it start more processes than cores, as root too.
std::vector<std::string> mpirun(const std::vector<std::string>& arguments);

/// Ports that nobody listens at, of the loopback interface.
std::vector<int> free_ports(int count);

/// The addresses, as /proc writes them (hexadecimal), at which a process waits for connections of TCP.
std::vector<std::string> listening_addresses(int pid);

}  // namespace kaon::testing
