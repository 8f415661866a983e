// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "tests/support/catch.hpp"

namespace {

// What `action` writes to stderr.
template <class Action>
std::string stderr_of(Action action) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file.get()), STDERR_FILENO);
  action();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text(4096, '\0');
  std::rewind(file.get());
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

}  // namespace

TEST_CASE("the log goes to stderr and says who speaks", "[runtime][log]") {
  kaon::runtime::set_up_log("warn", 7);
  CHECK(stderr_of([] { kaon::runtime::log_warn("a {} thing"); }) == "kaon: process 7: warning: a {} thing\n");
}

TEST_CASE("the log leaves out what is below its level", "[runtime][log]") {
  const auto all = [] {
    kaon::runtime::log_debug("one");
    kaon::runtime::log_info("two");
    kaon::runtime::log_warn("three");
  };
  kaon::runtime::set_up_log("debug", 0);
  CHECK(stderr_of(all) == "kaon: process 0: debug: one\nkaon: process 0: info: two\nkaon: process 0: warning: three\n");
  kaon::runtime::set_up_log("warn", 0);
  CHECK(stderr_of(all) == "kaon: process 0: warning: three\n");
  kaon::runtime::set_up_log("off", 0);
  CHECK(stderr_of(all).empty());
  kaon::runtime::set_up_log("warn", 0);
}
