// SPDX-License-Identifier: Apache-2.0
// threads: ranks on several PEs of a process, with all of the shim between them
#include <string>
#include <vector>

#include "tests/ampi_shim/programs/ampirun_command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing {
namespace {

ProgramRun run(const Shape& shape, const std::string& name, std::vector<std::string> options = {}) {
  std::vector<std::string> words = ampirun_command(shape);
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(test_program("ampi/" + name));
  return run_program(words);
}

void check_all(const Shape& shape, const std::vector<std::string>& names, const std::vector<std::string>& options) {
  for (const std::string& name : names) {
    const ProgramRun ended = run(shape, name, options);
    INFO(name << ": " << ended.text);
    CHECK(ended.code == 0);
    CHECK(ended.text.find("all is well\n") != std::string::npos);
  }
}

const Shape kThreads{7, 1, 3}, kBoth{8, 2, 2};

}  // namespace

TEST_CASE("messages between ranks on threads find all well", "[ampi][programs][threads]") {
  const Shape shape = GENERATE(kThreads, kBoth);
  check_all(shape, {"sends_and_receives", "requests", "cancelled_sends", "random_messages"}, {});
}

TEST_CASE("collectives of ranks on threads find all well", "[ampi][programs][threads]") {
  const Shape shape = GENERATE(kThreads, kBoth);
  check_all(shape, {"collective_meetings", "collective_overlap", "collective_reductions", "communicator_trees"}, {});
}

TEST_CASE("ThreadSanitizer sees a race of threads that a program makes", "[ampi][programs][threads]") {
  if (!kHasThreadSanitizer) return;
  const ProgramRun ended = run(kThreads, "races");
  INFO(ended.text);
  CHECK(ended.code == 66);
  CHECK(ended.text.find("data race") != std::string::npos);
  CHECK(ended.text.find("#0 count ") != std::string::npos);
}

TEST_CASE("device buffers of ranks on threads find all well", "[ampi][programs][threads]") {
  check_all(GENERATE(Shape{4, 1, 2}, Shape{4, 2, 2}), {"device_messages", "device_collectives"}, {"--device", "host"});
}

}  // namespace kaon::testing
