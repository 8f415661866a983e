// SPDX-License-Identifier: Apache-2.0
// What goes wrong with devices is said once, with what to do, and ends every process of the run. What has the tag
// [outside] runs on the device that KAON_DEVICE names, in the campaign too (bench/gpu/campaign.sh).
#include <signal.h>

#include <chrono>
#include <string>
#include <vector>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_choice.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace {

using kaon::testing::device_choice;
using kaon::testing::LaunchedRun;
using kaon::testing::Outcome;
using kaon::testing::ProgramRun;
using kaon::testing::run_program;
using kaon::testing::Variable;
using Parts = std::vector<std::string>;

const std::string kLauncher = kaon::testing::program("kaonrun");
const std::string kEndless = kaon::testing::test_program("device_endless_program");
const std::string kHanging = kaon::testing::test_program("device_hanging_program");
const std::string kFailing = kaon::testing::test_program("device_failing_program");
const std::string kFaulty = kaon::testing::test_program("device_faulty_program");

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

void check_ends(const std::vector<std::string>& command, int code, const Parts& parts) {
  const ProgramRun run = run_program(command);
  CAPTURE(command, run.text);
  CHECK(run.code == code);
  for (const std::string& part : parts) CHECK(contains(run.text, part));
}

/// The launcher tells of it, or the network of the other process.
void check_killed(const Outcome& outcome, std::size_t victim) {
  CAPTURE(victim, outcome.text);
  const bool is_told =
      contains(outcome.text, "process " + std::to_string(victim)) && contains(outcome.text, "signal 9");
  CHECK((is_told || contains(outcome.text, "PE " + std::to_string(victim) + " failed")));
  CHECK(outcome.code == (is_told ? 137 : 3));
}

/// Between processes and between the threads of one.
void check_refused(const std::string& how, int code, const Parts& parts) {
  check_ends({kLauncher, "-n", "2", kFailing, how, "--device", device_choice(), "--pes", "1"}, code, parts);
  check_ends({kFailing, how, "--device", device_choice(), "--pes", "2"}, code, parts);
}

}  // namespace

TEST_CASE("a landing of a device that is too small is refused", "[device][bad input][outside]") {
  check_refused("too-small", 2, {"a payload of 400000 bytes", "the landing of 399996 bytes", "pooled()"});
}

TEST_CASE("a landing in memory of the host is refused for a device's payload", "[device][bad input][outside]") {
  check_refused("host-landing", 2, {"in the memory of a device cannot land in host memory", "pooled()"});
  check_refused("host-span", 2, {"the landing of 400000 bytes", "is no memory of a device", "gpu::Buffer"});
}

TEST_CASE("a landing in memory of the device that Kaon does not know is refused", "[device][bad input][outside]") {
  check_refused("unknown", 2, {"is memory that Kaon does not know", "gpu::Registration"});
}

TEST_CASE("a landing in a buffer that was freed is refused", "[device][bad input][outside]") {
  check_refused("freed", 2, {"is no longer a buffer", "it was freed"});
}

TEST_CASE("a landing on another device is refused", "[device][bad input]") {
  const Variable two("KAON_HOST_DEVICE", "devices=2");
  check_ends({kFailing, "other-device", "--device", "host", "--pes", "2"}, 2,
             {"is on device 0, its PE uses device 1", "pooled()"});
}

TEST_CASE("memory of the host is no registration, and a device's payload no host view",
          "[device][bad input][outside]") {
  check_refused("host-registration", 2, {"Registration of 400000 bytes", "memory of the host", "host payload"});
  check_refused("host-view", 2, {"lies in the memory of a device", "view(stream)"});
  check_refused("host-payload", 2, {"lies in the memory of the host", "use view()"});
  check_refused("device-span", 2, {"the landing of 400000 bytes", "in the memory of a device, for a payload in host"});
}

TEST_CASE("a registration that ends before its payloads ends the run", "[device][bad input][outside]") {
  check_refused("registration-ends", 2,
                {"a gpu::Registration ended while payloads", "make a Sent(payload) before the send"});
}

TEST_CASE("device memory that is full is said with its size", "[device][bad input]") {
  const Variable small("KAON_HOST_DEVICE", "memory_mib=64");
  check_refused("memory", 4, {"a buffer of 400000 bytes does not fit into the memory of device 0", "MiB of it"});
}

TEST_CASE("a process that is killed during transfers of devices is named and the others end",
          "[device][bad input][outside]") {
  for (const char* how : {"wait", "later"})
    for (const char* transport : {"direct", "staged"}) {
      LaunchedRun run({"-n", "2", kFailing, how, "--device", device_choice(), "--pes", "1", "--transport", transport,
                       "--credits", "4"});
      const std::vector<pid_t> pids = run.wait_until_ready(2);
      kill(pids[1], SIGKILL);
      const Outcome outcome = run.finish();
      CAPTURE(how, transport, outcome.text);
      // The launcher tells of it, or the network of the other process, whichever is faster.
      const bool is_told = contains(outcome.text, "process 1") && contains(outcome.text, "signal 9");
      CHECK((is_told || contains(outcome.text, "PE 1 failed")));
      const bool could_not_connect = contains(outcome.text, "unreachable");  // killed before they had met
      CHECK(outcome.code == (is_told ? 137 : could_not_connect ? 2 : 3));
    }
}

TEST_CASE("a process that is killed in the middle of a transfer, or while the other sleeps, is named", "[device]") {
  for (const char* how : {"busy", "asleep"})
    for (const std::size_t victim : {0, 1}) {
      LaunchedRun run({"-n", "2", kEndless, how, "16", "--device", device_choice(), "--pes", "1"});
      const std::vector<pid_t> pids = run.wait_until_ready(2);
      kill(pids[victim], SIGKILL);
      CAPTURE(how);
      check_killed(run.finish(), victim);
    }
}

TEST_CASE("a run ends with later payloads that nobody fetched, sent just before the end", "[device]") {
  for (const char* transport : {"direct", "staged"})
    for (int time = 0; time < 5; ++time)
      check_ends({kLauncher, "-n", "2", kFailing, "end-with-later", "--device", device_choice(), "--pes", "1",
                  "--transport", transport},
                 0, {});
}

TEST_CASE("a kernel that never ends is named at the end of the run, which then ends", "[device][bad input][outside]") {
  for (const char* how : {"alone", "sends"}) {
    const Parts said{"still works on what", "never ends", "--device-timeout"};  // of either device: the first ends all
    check_ends({kHanging, how, "--device", device_choice(), "--pes", "2", "--device-timeout", "0.3"}, 1, said);
    check_ends(
        {kLauncher, "-n", "2", kHanging, how, "--device", device_choice(), "--pes", "1", "--device-timeout", "0.3"}, 1,
        said);
  }
}

TEST_CASE("an entry of a device that never ends is named, also behind full rings",
          "[device][resident][bad input][outside]") {
  for (const char* how : {"spin", "spin-full"})
    check_ends({kFaulty, how, "--device", device_choice(), "--pes", "1", "--device-timeout", "0.3"}, 1,
               {"kaon::testing::SpinForever, an entry of kaon::testing::Machine, has run for 0.2 s", "does not end",
                "does it wait for what cannot come", "entry_patience_s"});
  check_ends({kFaulty, "spin-alone", "--device", device_choice(), "--pes", "1", "--device-timeout", "0.3"}, 1,
             {"kaon::testing::SpinAlone, an entry of kaon::testing::Machine, has run for 0.2 s", "does not end"});
}

TEST_CASE("a flag that nobody raises is named with the entry that waits", "[device][resident][bad input][outside]") {
  check_ends({kFaulty, "await", "--device", device_choice(), "--pes", "1"}, 1,
             {"kaon::testing::Idle, an entry of kaon::testing::Machine", "for its flag 0, which is 0 and must reach 1",
              "nobody raises it"});
}

TEST_CASE("an entry of a device that fails ends the run, and is named where that was asked for",
          "[device][resident][bad input][outside]") {
  check_ends({kFaulty, "break", "--device", device_choice(), "--pes", "1"}, 1,
             {"while a resident kernel ran entries: give names_faults = true"});
  check_ends({kFaulty, "break-named", "--device", device_choice(), "--pes", "1"}, 1,
             {"while a resident kernel ran kaon::testing::Break of kaon::testing::Machine"});
}

TEST_CASE("a process whose device others' entries wait for is named when it is killed, and the others end",
          "[device][resident][bad input][outside]") {
  for (const std::size_t victim : {0, 1}) {
    LaunchedRun run({"-n", "2", kFaulty, "peer", "--device", device_choice(), "--pes", "1", "--device-timeout", "5"});
    const std::vector<pid_t> pids = run.wait_until_ready(2);
    kill(pids[victim], SIGKILL);
    check_killed(run.finish(), victim);
  }
}

TEST_CASE("a device that is asked for and not there is refused, and emulated where that is allowed",
          "[device][bad input]") {
  if (!kaon::gpu::kHasVendor) return;
  std::string why;
  if (kaon::gpu::make_vendor_driver(why) != nullptr) return;  // a machine with a device
  const std::string name(name_of(kaon::gpu::kVendor));
  check_ends({kFailing, "end", "--device", name, "--pes", "1"}, 2,
             {"--device " + name + ": no driver", "--device auto"});
  check_ends({kFailing, "end", "--device", "auto", "--pes", "1"}, 0, {"Taking --device host", "driver"});
  check_ends({kFailing, "end", "--pes", "1"}, 0, {"Taking --device host", "driver"});
}

TEST_CASE("a back end that was not built is refused", "[device][bad input]") {
  for (const kaon::gpu::Backend backend : {kaon::gpu::Backend::cuda, kaon::gpu::Backend::hip}) {
    if (kaon::gpu::is_built(backend)) continue;
    const std::string name(name_of(backend));
    check_ends({kFailing, "end", "--device", name}, 2, {"--device " + name, "was built with host"});
  }
}
