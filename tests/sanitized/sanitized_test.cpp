// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::sanitized {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST_CASE("a program with AddressSanitizer runs on a library without", "[sanitized]") {
  const std::string hello = test_program("address_hello");
  const auto command = GENERATE_COPY(std::vector<std::string>{hello, "--pes", "1", "--serialize-always"},
                                     std::vector<std::string>{hello, "--pes", "4"},
                                     std::vector<std::string>{program("kaonrun"), "-n", "2", hello, "--pes", "2"});
  const ProgramRun run = run_program(command);
  CAPTURE(run.text);
  CHECK(run.code == 0);
  CHECK(contains(run.text, "Hello from PE 0"));
  CHECK(!contains(run.text, "AddressSanitizer"));
}

TEST_CASE("a program with AddressSanitizer sees its mistakes with memory of a library without", "[sanitized]") {
  const ProgramRun run = run_program({test_program("released_program")});
  CAPTURE(run.text);
  CHECK(run.code != 0);
  CHECK(contains(run.text, "heap-use-after-free"));
}

TEST_CASE("a program with ThreadSanitizer on a library without is warned of false reports", "[sanitized]") {
  const ProgramRun run = run_program({test_program("thread_hello"), "--pes", "1"});
  if (contains(run.text, "unexpected memory mapping")) {
    WARN("ThreadSanitizer of this compiler does not know the address space of this machine");
    return;
  }
  CAPTURE(run.text);
  CHECK(contains(run.text, "./dev install --sanitize thread PREFIX"));
  CHECK(contains(run.text, "Hello from PE 0"));
}

}  // namespace kaon::testing::sanitized
