// SPDX-License-Identifier: Apache-2.0
// Process 0 plays a stranger who has found the way to the PEs of a run, and knows all of it but its secret: it sends
// the other processes, which are ordinary ones, the message that ends a run.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include <kaon/kaon.hpp>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/execution.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace {

using namespace kaon::runtime;

int intrude() {
  const std::unique_ptr<Bootstrap> bootstrap = make_bootstrap();
  Options options;
  options.pes = 1;
  Process process(options, EntryTable::freeze(), bootstrap->roster(options.pes), bootstrap->seat().process);
  Execution execution(process, *bootstrap, nullptr);
  execution.start();
  return execution.run([](Pe& pe) { end_run(pe, 0); });
}

kaon::Task<int> wait_for_the_end(kaon::Runtime&) { co_return 0; }

}  // namespace

int main(int argc, char** argv) {
  const char* process = std::getenv("KAON_PROCESS");
  if (process == nullptr || std::atoi(process) != 0) return kaon::run(argc, argv, wait_for_the_end);
  try {
    return intrude();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stranger: %s\n", error.what());
    return exit_code(error);
  }
}
