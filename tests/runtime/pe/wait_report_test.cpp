// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/wait_report.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

WaitReport report_of(std::vector<double> seconds) {
  WaitReport report;
  for (const double each : seconds) report.oldest.push_back({each, "after " + std::to_string(static_cast<int>(each))});
  report.waits = seconds.size();
  return report;
}

}  // namespace

TEST_CASE("reports of several PEs are one, the longest wait first", "[runtime][wait_report]") {
  WaitReport report = report_of({9, 5, 1});
  report.add(report_of({7, 2}));
  CHECK(to_text(report) ==
        "\n  after 9 (9.0 s)\n  after 7 (7.0 s)\n  after 5 (5.0 s)\n  after 2 (2.0 s)\n  after 1 (1.0 s)");
}

TEST_CASE("a report is no longer than a page, and says how many it leaves out", "[runtime][wait_report]") {
  WaitReport report;
  for (int pe = 0; pe < 10; ++pe) report.add(report_of(std::vector<double>(30, 1)));
  CHECK(report.waits == 300);
  CHECK(report.oldest.size() == 40);
  CHECK(to_text(report).ends_with("\n  and 260 more"));
}

TEST_CASE("equal lines of a report are one, which counts them", "[runtime][wait_report]") {
  WaitReport report;
  for (const char* text : {"one", "other", "one", "one"}) report.join(text);
  report.join("other", 5);
  report.waits = 9;
  CHECK(to_text(report) == "\n  one (3 times)\n  other (6 times)");
  report.waits = 11;
  CHECK(to_text(report).ends_with("\n  and 2 more"));
  for (int i = 0; i < 50; ++i) report.join(std::to_string(i));
  CHECK(report.oldest.size() == 40);
}

TEST_CASE("PEs that did not answer are named, of many the first", "[runtime][wait_report]") {
  CHECK(to_text_of_silent({true, true, false, true}).find("PE 2 did not answer: it runs") != std::string::npos);
  const std::string two = to_text_of_silent({false, true, false});
  CHECK(two.find("2 PEs did not answer: they run") != std::string::npos);
  CHECK(two.find("(PEs 0, 2)") != std::string::npos);
  const std::string many = to_text_of_silent(std::vector<bool>(1000));
  CHECK(many.find("1000 PEs did not answer") != std::string::npos);
  CHECK(many.find("(PEs 0, 1, 2, 3, 4, 5, 6, 7, ...)") != std::string::npos);
}
