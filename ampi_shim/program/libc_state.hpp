// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <search.h>

#include <cstdlib>
#include <ctime>

#include "kaon/ampi_shim/program/environment.hpp"
#include "kaon/ampi_shim/program/exit_handlers.hpp"
#include "kaon/ampi_shim/program/option_parser.hpp"

namespace kaon::ampi {

/// The generators of rand() and drand48() and their families, which begin as in a new process.
struct RandomState {
  RandomState();
  RandomState(const RandomState&) = delete;
  RandomState& operator=(const RandomState&) = delete;

  random_data numbers{};
  drand48_data reals{};
  char* table = table_;  // what initstate() and setstate() replace

 private:
  char table_[128];
};

/// The state that the C library keeps once a process, for one rank.
struct LibcState {
  Environment environment;
  OptionParser options;
  RandomState random;
  ExitHandlers exit_handlers;
  ExitHandlers quick_exit_handlers;
  ExitHandlers thread_local_destructors;
  char* token_rest = nullptr;  // strtok's
  std::tm broken_down_time{};
  char time_text[26] = {};
  hsearch_data hash_table{};
};

}  // namespace kaon::ampi
