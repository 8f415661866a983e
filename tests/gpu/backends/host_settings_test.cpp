// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;

namespace {

constexpr const char* kVariable = "KAON_HOST_DEVICE_OF_THE_TEST";

HostSettings parsed(const char* text) {
  setenv(kVariable, text, 1);
  return host_settings(kVariable);
}

std::string refusal(const char* text) {
  try {
    parsed(text);
  } catch (const kaon::runtime::UsageError& error) {
    return error.what();
  }
  return "";
}

bool names(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("without the variable the emulation has its defaults", "[gpu][host]") {
  unsetenv(kVariable);
  const HostSettings settings = host_settings(kVariable);
  CHECK(settings.devices == 1);
  CHECK(settings.seed == 0);
  CHECK(settings.delay_us == 0);
  CHECK(settings.queues == 0);
  CHECK(settings.poison);
  CHECK(settings.foreign == Location::device);
  CHECK(settings.free_waits_s == 0);
  CHECK(parsed("").devices == 1);
}

TEST_CASE("each setting of the emulation is read", "[gpu][host]") {
  const HostSettings settings = parsed("devices=2,seed=18446744073709551615,delay_us=50.5,memory_mib=64,poison=0");
  CHECK(settings.devices == 2);
  CHECK(settings.seed == ~std::uint64_t{0});
  CHECK(settings.delay_us == 50.5);
  CHECK(settings.memory_bytes == std::size_t{64} << 20);
  CHECK_FALSE(settings.poison);
  CHECK(parsed("queues=8").queues == 8);
  CHECK(parsed("foreign=pool").foreign == Location::device_pool);
  CHECK(parsed("foreign=managed").foreign == Location::managed);
  CHECK(parsed("free=waits").free_waits_s > 0);
}

TEST_CASE("a setting that is wrong is named, with its limits", "[gpu][host]") {
  CHECK(names(refusal("devices=2,seeds=3"), "'seeds=3' is no setting"));
  CHECK(names(refusal("seed"), "'seed' has no value"));
  CHECK(names(refusal("devices=0"), "'devices=0' needs a number from 1 to 64"));
  CHECK(names(refusal("devices=2x"), "'devices=2x'"));
  CHECK(names(refusal("memory_mib="), "'memory_mib='"));
  CHECK(names(refusal("seed=-1"), "'seed=-1'"));
  CHECK(names(refusal("poison=yes"), "'poison=yes' needs a number from 0 to 1"));
  CHECK(names(refusal("foreign=device"), "'foreign=device' needs pool or managed"));
  CHECK(names(refusal("free=1"), "'free=1' needs waits"));
  CHECK(names(refusal("devices=1,,seed=1"), "has no value"));
  CHECK(names(refusal("seed=x"), kVariable));
}
