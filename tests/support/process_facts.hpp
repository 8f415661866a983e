// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

namespace kaon::testing {

/// The process that has started it, or has adopted it since that one is gone; 0: it is gone itself.
pid_t parent_of(pid_t pid);

/// True if it is stopped, as by ctrl-Z.
bool is_stopped(pid_t pid);

/// The sockets of a process, as /proc names them: by their inodes.
std::set<std::string> sockets_of(pid_t pid);

/// A socket of an internet protocol, as a line of a table in /proc/PID/net has it.
struct InternetSocket {
  std::string local;  // address and port, hexadecimal
  std::string state;  // "0A": it listens
  std::string inode;
};

/// All of the network that a process is in, of these protocols (as in "tcp6"), connected or not.
std::vector<InternetSocket> internet_sockets(pid_t pid, const std::vector<std::string>& protocols);

/// Names of the unix sockets of a process that have one: others can reach them there. Abstract ones begin with '@'.
std::vector<std::string> named_unix_sockets(pid_t pid);

/// The folder in shared memory of a run, by what one of its processes has mapped. Empty: none.
std::string run_folder(pid_t pid);

/// True if such a folder is gone, now or in the next 20 s. The process that removes it ends last, after a foreign
/// launcher or a kaonrun that was killed.
bool is_gone_soon(const std::string& folder);

}  // namespace kaon::testing
