// SPDX-License-Identifier: Apache-2.0
// The program of docs/guide/: each section of the page is a class and a task here, which checks what the page says.
#include <cstdio>

#include "examples/guide/sections.hpp"

namespace {

struct Section {
  const char* name;
  kaon::Task<bool> (*is_right)(kaon::Runtime& runtime);
};

constexpr Section kSections[] = {
    {"groups", guide::groups},
    {"sparse arrays", guide::sparse_arrays},
    {"sections", guide::sections},
    {"single chares", guide::single_chares},
    {"bound arrays", guide::bound_arrays},
    {"ends of arrays", guide::ends_of_arrays},
    {"priorities", guide::priorities},
    {"priorities of bits", guide::bit_priorities},
    {"small messages", guide::small_messages},
    {"order", guide::order},
    {"timers", guide::timers},
    {"all and any", guide::all_any},
    {"loops of calls", guide::loops_of_calls},
    {"inboxes", guide::inboxes},
    {"ready and flush", guide::ready_flush},
    {"exceptions", guide::exceptions},
    {"reductions", guide::reductions},
    {"operations", guide::operations},
    {"callbacks", guide::callbacks},
    {"completion", guide::completion},
    {"objects by pointer", guide::objects_by_pointer},
    {"payloads", guide::payloads},
};

kaon::Task<int> guide_main(kaon::Runtime& runtime) {
  int wrong = 0;
  for (const Section& section : kSections) {
    if (co_await section.is_right(runtime)) continue;
    std::printf("the guide is wrong about %s\n", section.name);
    ++wrong;
  }
  if (wrong == 0) std::printf("the guide is right\n");
  co_return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return kaon::run(argc, argv, guide_main); }
