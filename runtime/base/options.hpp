// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// How a run is set up. Each field is an option of every program and, in capitals with KAON_ before it, a variable of
/// the environment (`--pes`, KAON_PES); the option wins.
struct Options {
  int pes = 0;                         // PEs in each process; 0: the cores this process may use
  bool serialize_always = false;       // also arguments that stay in one process, to find those that do not survive it
  bool pin = true;                     // PEs to cores, when there are enough and nobody has done it
  double spin_us = -1;                 // how long an idle PE looks for work before it sleeps; -1: by the machine
  double coalesce_us = 1;              // how long messages to other PEs wait for others that go the same way
  std::size_t queue_limit_mib = 4096;  // a PE may hold for slow receivers; 0: its share of half the memory there is
  int credits = 64;                    // batches under way from one PE to another in another process
  std::string device;                  // cuda, hip, host, or auto: host where there is no device; empty: not said
  std::size_t device_memory_mib = 0;   // that each process may take of each device; 0: all there is
  double deadlock_s = 0.75;            // how long all may wait for what cannot come; 0: for ever
  int helper_threads = 16;             // most of a process, for functions that block; 0: they run on their PE
  double device_timeout_s = 60;        // how long a device may go on at the end of the run
  std::string transport = "direct";    // of device memory between processes: direct or staged
  std::string interface;               // of the network between hosts; with one host none is used
  bool explain_transfers = false;      // at the end, which way payloads took
  bool crash_report = true;            // what ran and the stack, when a signal such as SIGSEGV ends the process
  bool label_output = false;           // what print() prints begins with the number of the PE
  std::string log_level = "warn";      // trace, debug, info, warn, error or off

  // No option: what main() says of its program.
  bool uses_devices = false;  // its PEs have devices, by `auto` where `device` says nothing
  // No option either: of TestingSettings.
  int payload_counter_bits = 32;
};

/// Options of ours are taken out of the command line; the program's own stay, in order, without the program's name.
struct ParsedCommandLine {
  Options options;
  std::vector<std::string> arguments;
};

/// Throws UsageError when a value makes no sense, and for --processes, which is kaonrun's.
ParsedCommandLine parse_command_line(int argc, const char* const* argv);

/// True if `name`, with its dashes, is an option of Kaon.
bool is_option(const std::string& name);
/// The variables of the environment that Options and its neighbors read.
std::vector<std::string> option_variables();

/// Returns the part of `--help` on the options above and on variables of the environment without an option.
std::string options_help();

}  // namespace kaon::runtime
