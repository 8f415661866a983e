// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <ctime>

#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"

// Functions that go on where they stopped, or return memory of the library's that the next call overwrites.
namespace kaon::ampi {
namespace {

char* next_token(char* text, const char* separators) { return strtok_r(text, separators, &caller_state().token_rest); }

std::tm* to_local_time(const std::time_t* time) { return localtime_r(time, &caller_state().broken_down_time); }
std::tm* to_universal_time(const std::time_t* time) { return gmtime_r(time, &caller_state().broken_down_time); }
char* time_text(const std::tm* time) { return asctime_r(time, caller_state().time_text); }
char* time_text_of(const std::time_t* time) { return ctime_r(time, caller_state().time_text); }

int make_table(std::size_t entries) { return hcreate_r(entries, &caller_state().hash_table); }
void destroy_table() { hdestroy_r(&caller_state().hash_table); }

ENTRY* search_table(ENTRY item, ACTION action) {
  ENTRY* found = nullptr;
  hsearch_r(item, action, &found, &caller_state().hash_table);
  return found;
}

}  // namespace

std::span<const Replacement> text_functions() {
  static const Replacement all[] = {
      replace("strtok", next_token),      replace("localtime", to_local_time), replace("gmtime", to_universal_time),
      replace("asctime", time_text),      replace("ctime", time_text_of),      replace("hcreate", make_table),
      replace("hdestroy", destroy_table), replace("hsearch", search_table),
  };
  return all;
}

}  // namespace kaon::ampi
