// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/test_device.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <string_view>
#include <thread>

#include "kaon/gpu/backends/api.hpp"
#include "tests/support/catch.hpp"

namespace kaon::gpu::test {
namespace {

std::vector<Subject> emulations() {
  std::vector<Subject> subjects;
  constexpr const char* kVariable = "KAON_HOST_DEVICE";
  if (const char* const settings = std::getenv(kVariable)) {
    subjects.push_back({fmt::format("host, {}", settings), make_host_driver(host_settings(kVariable))});
    return subjects;
  }
  subjects.push_back({"host, threads", make_host_driver({.devices = 2})});
  subjects.push_back({"host, delayed threads", make_host_driver({.devices = 2, .delay_us = 200})});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    subjects.push_back({fmt::format("host, seed {}", seed), make_host_driver({.devices = 2, .seed = seed})});
  }
  return subjects;
}

std::vector<Subject> vendor_devices(std::string_view wanted) {
  if (!kHasVendor || wanted != name_of(kVendor)) {
    FAIL("KAON_TEST_DEVICE is '" << wanted << "', which this build does not have");
  }
  std::string why;
  std::unique_ptr<Driver> driver = make_vendor_driver(why);
  if (driver == nullptr) FAIL("KAON_TEST_DEVICE is '" << wanted << "', but " << why);
  driver->use(0);
  std::vector<Subject> subjects;
  const std::string name = fmt::format("{}, {}", wanted, driver->describe(0).name);
  subjects.push_back({name, std::move(driver)});
  return subjects;
}

/// Once for each in a run of the tests.
void report(const std::string& name) {
  static std::set<std::string> reported;
  if (reported.insert(name).second) fmt::print(stderr, "device suite on: {}\n", name);
}

}  // namespace

void on_each_back_end(const std::function<void(Driver&)>& check) {
  const char* const wanted = std::getenv("KAON_TEST_DEVICE");
  const bool is_host = wanted == nullptr || std::string_view(wanted) == "host";
  for (const Subject& subject : is_host ? emulations() : vendor_devices(wanted)) {
    INFO("on " << subject.name);
    report(subject.name);
    check(*subject.driver);
  }
}

void settle_event(Driver& driver, NativeEvent event) {
  while (!driver.is_reached(event)) {
    if (!driver.advance()) std::this_thread::yield();
  }
}

void settle(Driver& driver, NativeStream stream) {
  const TestEvent event(driver);
  driver.record(event, stream);
  settle_event(driver, event);
}

}  // namespace kaon::gpu::test
