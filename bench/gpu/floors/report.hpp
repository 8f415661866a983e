// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

namespace kaon::bench {

// Results line by line: for people, or one JSON object each.
class Report {
 public:
  explicit Report(bool is_json) : is_json_(is_json) {}

  // `which` and `unit` hold no quotes.
  void add(const std::string& which, double value, const char* unit) const {
    std::printf(is_json_ ? "{\"case\":\"%s\",\"value\":%.6g,\"unit\":\"%s\"}\n" : "%-58s %12.6g %s\n", which.c_str(),
                value, unit);
    std::fflush(stdout);
  }
  // What is not a number.
  void note(const std::string& line) const { std::fprintf(stderr, "%s\n", line.c_str()); }

 private:
  bool is_json_;
};

}  // namespace kaon::bench
