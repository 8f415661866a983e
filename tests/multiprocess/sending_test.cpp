// SPDX-License-Identifier: Apache-2.0
// threads: PEs of several processes
// Messages of entries with properties, and what chares print, between real processes.
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/kaonrun_command.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace {

using kaon::testing::ProgramRun;

ProgramRun run_kind(const std::string& processes, const std::string& pes, const std::string& kind,
                    const std::vector<std::string>& options = {}) {
  return kaon::testing::run_program(
      kaon::testing::kaonrun_command(processes, pes, kaon::testing::test_program("sending_program"), kind, options));
}

void check_everywhere(const std::string& kind) {
  for (const auto& [processes, pes] : {std::pair{"2", "1"}, {"4", "1"}, {"1", "3"}, {"2", "2"}, {"9", "1"}}) {
    for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--serialize-always"}}) {
      const ProgramRun run = run_kind(processes, pes, kind, options);
      CAPTURE(processes, pes, options, run.text);
      CHECK(run.code == 0);
    }
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("aggregated messages arrive between processes", "[multiprocess][sending]") { check_everywhere("aggregated"); }
TEST_CASE("ordered messages arrive in order between processes", "[multiprocess][sending]") {
  check_everywhere("ordered");
}

TEST_CASE("broadcasts of ordered entries keep their order between processes, while both ends move",
          "[multiprocess][sending]") {
  check_everywhere("broadcasts");
}
TEST_CASE("a search by bits ends on any number of processes", "[multiprocess][sending]") { check_everywhere("bits"); }

TEST_CASE("what PEs print comes as whole lines, each with its PE when that is wanted", "[multiprocess][sending]") {
  for (const bool has_labels : {false, true}) {
    std::vector<std::string> options;
    if (has_labels) options.push_back("--label-output");
    const ProgramRun run = run_kind("2", "2", "print", options);
    CHECK(run.code == 0);
    std::vector<int> next(5), twos(5);
    for (std::string line : lines_of(run.text)) {
      std::size_t pe = 4;
      if (has_labels) {
        REQUIRE(line.starts_with("[PE "));
        pe = static_cast<std::size_t>(line[4] - '0');
        REQUIRE(pe < 4);
        line.erase(0, 7);
      }
      if (line == "two" || line == "lines") {
        ++twos[pe];
      } else {
        REQUIRE(line.starts_with("line "));
        REQUIRE(line.ends_with(" " + std::string(60, 'x') + " end"));
        if (has_labels) CHECK(std::stoi(line.substr(5)) == next[pe]);
        ++next[pe];
      }
    }
    if (has_labels) {
      CHECK(next == std::vector{400, 400, 400, 400, 0});
      CHECK(twos == std::vector{2, 2, 2, 2, 0});
    } else {
      CHECK(next[4] == 1600);
      CHECK(twos[4] == 8);
    }
  }
}

TEST_CASE("messages for elements that never came are an error that names them", "[multiprocess][sending]") {
  for (const char* processes : {"1", "2"}) {
    check_end(run_kind(processes, "2", "unclaimed"), 5,
              {"1 message was not delivered before main returned, as its element never came:",
               "a message from PE 0 to sending::Total::add, for element", "77"});
  }
}

TEST_CASE("messages for elements that were deleted are an error that names them", "[multiprocess][sending]") {
  for (const char* processes : {"1", "2"}) {
    const ProgramRun run =
        check_end(run_kind(processes, "2", "deleted"), 5,
                  {"1 message was lost",
                   "a message from PE 0 to sending::Mortal::set, for element (3, 0, 0) of 4 x 1 x 1 sending::Mortal"});
    CHECK(run.text.find("wrong") == run.text.npos);
  }
}

TEST_CASE("equal messages that reach no element have one line, which counts them", "[multiprocess][sending]") {
  for (const char* processes : {"1", "2"}) {
    check_end(run_kind(processes, "2", "unclaimed_often"), 5,
              {"3 messages were not delivered", "which is not there (3 times)\n"});
    check_end(run_kind(processes, "2", "deleted_often"), 5,
              {"3 messages were lost, as their elements", "of 4 x 1 x 1 sending::Mortal (3 times)\n"});
  }
}

#if defined(__GNUC__) && !defined(__clang__)  // others do not know padding
TEST_CASE("a class whose pup forgets a member is named once, by --serialize-always", "[multiprocess][sending]") {
  const ProgramRun run = run_kind("1", "2", "forgets", {"--serialize-always"});
  CAPTURE(run.text);
  CHECK(run.code == 0);
  const std::size_t at = run.text.find("the pup of sending::Pair does not carry all of it: from byte 4");
  CHECK(at != run.text.npos);
  CHECK(run.text.find("does not carry all", at + 40) == run.text.npos);
}
#endif
