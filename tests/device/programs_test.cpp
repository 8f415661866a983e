// SPDX-License-Identifier: Apache-2.0
// threads: PEs, streams and the threads of devices, in programs of several processes
// Real processes over UCX and threads, with emulated devices (or those that KAON_DEVICE names).
#include "tests/support/programs.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/kaonrun_command.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/variable.hpp"

namespace {

const std::string kTraffic = kaon::testing::test_program("device_traffic_program");
const std::string kPaths = kaon::testing::test_program("device_paths_program");
const std::string kCarry = kaon::testing::test_program("device_carry_program");
const std::string kLedger = kaon::testing::test_program("device_ledger_program");
const std::string kSmall = kaon::testing::test_program("device_small_program");
const std::string kLater = kaon::testing::test_program("device_later_program");
const std::vector<std::string> kKinds{"exchange", "several", "reuse"};

using kaon::testing::Variable;

std::string check(const std::string& processes, const std::string& pes, const std::string& kind,
                  const std::vector<std::string>& options = {}, const std::string& program = kTraffic) {
  const kaon::testing::ProgramRun run =
      kaon::testing::run_program(kaon::testing::kaonrun_command(processes, pes, program, kind, options));
  CAPTURE(processes, pes, kind, options, run.text);
  // What comes after an element was deleted is named when all was right; it may also have come before.
  const bool may_be_lost =
      program == kPaths && kind == "deleted" && run.text.find("have called destroy()") != run.text.npos;
  CHECK(run.code == (may_be_lost ? 5 : 0));
  return run.text;
}

}  // namespace

TEST_CASE("device memory arrives as it was between processes", "[device]") {
  for (const std::string& kind : kKinds) check("2", "1", kind);
  const Variable unfetched("KAON_FETCH_UP_TO", "0");
  for (const std::string& kind : kKinds) check("2", "1", kind);
}

TEST_CASE("a run with devices follows on one without", "[device]") {
  check_end(kaon::testing::run_program({kLater}), 0);
}

TEST_CASE("device memory arrives as it was between the threads of a process", "[device]") {
  for (const std::string& kind : kKinds) check("1", "3", kind);
}

TEST_CASE("the threads of a process share a resident scheduler", "[device][resident]") {
  for (const char* pes : {"1", "2", "4"}) check("1", pes, "together", {}, kLedger);
}

TEST_CASE("device memory arrives as it was between processes of several threads", "[device]") {
  for (const std::string& kind : kKinds) check("2", "2", kind);
}

TEST_CASE("device memory arrives as it was between the devices of a process", "[device]") {
  const Variable devices("KAON_HOST_DEVICE", "devices=2");
  for (const std::string& kind : kKinds) check("1", "2", kind);
}

TEST_CASE("device memory arrives as it was through the host", "[device]") {
  for (const std::string& kind : kKinds) check("2", "1", kind, {"--transport", "staged"});
}

TEST_CASE("device memory arrives as it was through the network of the host", "[device]") {
  const Variable way("KAON_TESTING", "stage_through=network");
  for (const std::string& kind : kKinds) check("2", "1", kind, {"--transport", "staged"});
}

TEST_CASE("device memory survives slow kernels and copies", "[device]") {
  const Variable delays("KAON_HOST_DEVICE", "delay_us=200");
  for (const std::string& kind : kKinds) check("2", "1", kind);
  for (const std::string& kind : kKinds) check("2", "1", kind, {"--transport", "staged"});
}

TEST_CASE("few credits suffice where payloads wait for slow streams", "[device]") {
  const Variable delays("KAON_HOST_DEVICE", "delay_us=200");
  for (const char* transport : {"direct", "staged"})
    for (const std::string& kind : kKinds) check("2", "1", kind, {"--credits", "2", "--transport", transport});
}

TEST_CASE("device memory arrives as it was with streams that are stepped", "[device]") {
  for (const char* seed : {"seed=1", "seed=2"}) {
    const Variable stepped("KAON_HOST_DEVICE", seed);
    check("2", "1", "several");
    check("1", "2", "exchange");
  }
}

TEST_CASE("device payloads' numbers may wrap around, and few credits suffice", "[device]") {
  const char* bits = GENERATE("payload_counter_bits=6", "payload_counter_bits=8");
  const Variable narrow("KAON_TESTING", bits);
  check("2", "1", "exchange");
  check("2", "1", "several", {"--credits", "2"});
}

TEST_CASE("device memory is handed over also where arguments are serialized", "[device]") {
  for (const std::string& kind : kKinds) check("1", "2", kind, {"--serialize-always"});
}

TEST_CASE("payloads for elements that move, are deleted, reject or fetch them arrive or give their memory back",
          "[device][outside]") {
  for (const char* kind : {"moved", "deleted", "rejected", "fetched"}) {
    check("1", "3", kind, {}, kPaths);
    for (const char* transport : {"direct", "staged"}) check("2", "1", kind, {"--transport", transport}, kPaths);
    const Variable unfetched("KAON_FETCH_UP_TO", "0");
    check("2", "1", kind, {}, kPaths);
  }
}

TEST_CASE("chares take device memory along between processes and threads, and are balanced by it", "[device]") {
  for (const char* kind : {"carry", "balance"}) {
    for (const auto& [processes, pes] : {std::pair{"1", "3"}, {"2", "1"}, {"4", "1"}})
      check(processes, pes, kind, {}, kCarry);
    check("2", "2", kind, {"--transport", "staged"}, kCarry);
    check("1", "2", kind, {"--serialize-always"}, kCarry);
  }
}

TEST_CASE("small payloads of all sizes arrive as they were, whoever receives them and has a kernel",
          "[device][small]") {
  check("2", "1", "all", {}, kSmall);
  const Variable unfetched("KAON_FETCH_UP_TO", "0");  // as what a kernel is still making would be
  for (const auto& [processes, pes] : {std::pair{"2", "1"}, {"4", "1"}, {"2", "2"}}) {
    const std::string text = check(processes, pes, "all", {"--explain-transfers"}, kSmall);
    CHECK(text.find("\ncarried ") != std::string::npos);
  }
  for (const char* most : {"0", "8", "1048576"}) {
    const Variable carried("KAON_CARRY_UP_TO", most);
    const std::string text = check("2", "1", "all", {"--explain-transfers", "--credits", "2"}, kSmall);
    CHECK((text.find("\ncarried ") != std::string::npos) == (most != std::string("0")));
  }
}

TEST_CASE("a run ends while small payloads are under way between its processes", "[device][small]") {
  for (const auto& [processes, pes] : {std::pair{"2", "1"}, {"3", "1"}, {"2", "2"}})
    check(processes, pes, "ends", {}, kSmall);
}

TEST_CASE("device memory arrives as it was where devices do not reach each other, staged in memory", "[device]") {
  const Variable apart("KAON_HOST_DEVICE", "peers=0");
  for (const std::string& kind : kKinds) {
    const std::string text = check("2", "2", kind, {"--explain-transfers"});
    CHECK(text.find("staged in memory") != std::string::npos);
    CHECK(text.find("out of reach") != std::string::npos);
    CHECK(text.find("\ndirect ") == std::string::npos);
    const std::string warning = "does not reach the device of";  // once from each process, whatever many PEs it has
    const std::size_t first = text.find(warning), second = text.find(warning, first + 1);
    CHECK((second != std::string::npos && text.find(warning, second + 1) == std::string::npos));
  }
}

TEST_CASE("the report says which way payloads took, and why", "[device]") {
  const std::string fetched = check("2", "1", "several", {"--explain-transfers"});
  CHECK(fetched.find("\nfetched ") != std::string::npos);
  CHECK(fetched.find("direct") == std::string::npos);
  {
    const Variable unfetched("KAON_FETCH_UP_TO", "0");
    const std::string direct = check("2", "1", "several", {"--explain-transfers"});
    CHECK(direct.find("\ndirect ") != std::string::npos);
    CHECK(direct.find("fetched") == std::string::npos);
  }
  const std::string staged = check("2", "1", "several", {"--explain-transfers", "--transport", "staged"});
  CHECK(staged.find("--transport staged was asked for") != std::string::npos);
}
