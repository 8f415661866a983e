// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/hints.hpp"

#include <array>
#include <string>

#include "tests/support/catch.hpp"

namespace kaon::testing::hints {

std::vector<std::string> said_of(const char* variable) {
  const std::array<const char*, 3> environment{"HOME=/root", variable, nullptr};
  return misspelt_variables(environment.data());
}

TEST_CASE("a misspelt variable is named with the one that is meant", "[runtime][hints]") {
  struct Case {
    const char* variable;
    const char* meant;
  };
  for (const auto& [variable, meant] :
       {Case{"KAON_PESS=2", "KAON_PES"}, Case{"KAON_LOGLEVEL=info", "KAON_LOG_LEVEL"},
        Case{"KAON_QUEUE_LIMIT=1", "KAON_QUEUE_LIMIT_MIB"}, Case{"KAON_FETCH_UPTO=0", "KAON_FETCH_UP_TO"},
        Case{"KAON_PEER_TIMEOUT_S=1", "KAON_PEER_TIMEOUT"}}) {
    const auto said = said_of(variable);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find(std::string("is it ") + meant + " that") != std::string::npos);
  }
}

TEST_CASE("variables of Kaon's own and of others are not complained of", "[runtime][hints]") {
  for (const char* variable :
       {"KAON_PES=2", "KAON_HOST_DEVICE=devices=2", "KAON_PROCESS=1", "KAON_PROCESSES=2", "KAON_PEER_TIMEOUT=0",
        "KAON_JOBS=2", "KAON_TESTING=ucx_host=tag", "KAON_UNIVERSITY_HOME=/x", "KAONPES=2", "PES=2"})
    CHECK(said_of(variable).empty());
}

TEST_CASE("an option in the wrong place is answered with what to type", "[runtime][hints]") {
  CHECK(hint_at_kaonrun("--processes").find("kaonrun -n 4 PROGRAM") != std::string::npos);
  CHECK(hint_at_kaonrun("--peer-timeout=3").starts_with("--peer-timeout is an option of kaonrun"));
  CHECK(hint_at_kaonrun("--cells").empty());
  CHECK(hint_at_program("--pes").find("PROGRAM --pes") != std::string::npos);
  CHECK(hint_at_program("--credits=2").starts_with("--credits is an option of the program"));
  CHECK(hint_at_program("--colour").empty());
}

TEST_CASE("an option that is gone is answered with why, and so is its variable", "[runtime][hints]") {
  CHECK(hint_at_removed("--fan-out").starts_with("--fan-out is gone: kaonrun starts and watches all processes itself"));
  CHECK(hint_at_removed("--fan-out=8") == hint_at_removed("--fan-out"));
  CHECK(hint_at_removed("--payload-counter-bits").find("KAON_TESTING=payload_counter_bits=6") != std::string::npos);
  for (const char* word : {"--label", "", "=", "KAON_PES"}) CHECK(hint_at_removed(word).empty());
  const auto said = said_of("KAON_FAN_OUT=8");
  REQUIRE(said.size() == 1);
  CHECK(said[0].starts_with("the variable KAON_FAN_OUT is gone: "));
}

TEST_CASE("an option of Charm++ is answered with that of Kaon", "[runtime][hints]") {
  CHECK(hint_at_option_of_charm("+p4").starts_with("+p4 is an option of Charm++; here it is --pes 4"));
  CHECK(hint_at_option_of_charm("++ppn").find("kaonrun -n 2 PROGRAM --pes 4") != std::string::npos);
  CHECK(hint_at_option_of_charm("++n").find("the number of processes") != std::string::npos);
  CHECK(hint_at_option_of_charm("+setcpuaffinity").find("a core of its own") != std::string::npos);
  for (const char* word : {"--pes", "p4", "4", "+", "++", "+q", ""}) CHECK(hint_at_option_of_charm(word).empty());
}

}  // namespace kaon::testing::hints
