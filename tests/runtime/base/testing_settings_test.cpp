// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/testing_settings.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::testing_settings {

using runtime::TestingSettings;

TestingSettings settings_of(const char* text) {
  const Variable variable("KAON_TESTING", text);
  return runtime::testing_settings();
}

TEST_CASE("settings for tests are those of users unless they are given", "[runtime][options]") {
  for (const TestingSettings& settings : {runtime::testing_settings(), settings_of("")}) {
    CHECK(settings.payload_counter_bits == 32);
    CHECK_FALSE(settings.stages_through_network);
    CHECK_FALSE(settings.sends_tagged);
  }
}

TEST_CASE("each setting for tests is read, alone or beside others", "[runtime][options]") {
  CHECK(settings_of("payload_counter_bits=6").payload_counter_bits == 6);
  CHECK(settings_of("stage_through=network").stages_through_network);
  CHECK(settings_of("ucx_host=tag").sends_tagged);
  const TestingSettings settings = settings_of("ucx_host=am,payload_counter_bits=4,stage_through=network");
  CHECK(settings.payload_counter_bits == 4);
  CHECK(settings.stages_through_network);
  CHECK_FALSE(settings.sends_tagged);
}

TEST_CASE("a setting for tests that makes no sense is refused by its name", "[runtime][options]") {
  const char* wrong =
      GENERATE("payload_counter_bits=3", "payload_counter_bits=33", "payload_counter_bits=6x", "payload_counter_bits",
               "stage_through=host", "ucx_host=", "ucx=tag", "=", "ucx_host=tag,,ucx_host=am");
  CAPTURE(wrong);
  CHECK_THROWS_WITH(settings_of(wrong), contains_text("KAON_TESTING: '"));
}

}  // namespace kaon::testing::testing_settings
