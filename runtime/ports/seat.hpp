// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Where a process sits in its run. All count from 0. By default: alone.
struct Seat {
  int process = 0;
  int processes = 1;
  int host = 0;
  int hosts = 1;
  int place_on_host = 0;  // among the processes of its host, in the order of their numbers
  int processes_on_host = 1;
  // Among those of its host that may use the same cores: all of them, but where a launcher has given each its own.
  int place_on_cores = 0;
  int processes_on_cores = 1;

  friend bool operator==(const Seat&, const Seat&) = default;
};

/// The seat of a process whose run has one host.
constexpr Seat seat_on_one_host(int process, int processes) {
  return {process, processes, 0, 1, process, processes, process, processes};
}

}  // namespace kaon::runtime
