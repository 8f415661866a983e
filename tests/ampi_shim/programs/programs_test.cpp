// SPDX-License-Identifier: Apache-2.0
// MPI programs in C, run by ampirun in several shapes.
#include "tests/support/programs.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/ampi_shim/programs/ampirun_command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing {
namespace {

std::vector<std::string> command(const Shape& shape, const std::string& name, std::vector<std::string> more = {}) {
  std::vector<std::string> words = ampirun_command(shape);
  const std::string file = test_program("ampi/" + name);
  const auto options =
      static_cast<std::ptrdiff_t>(std::find(more.begin(), more.end(), std::string("--")) - more.begin());
  const bool has_options = options < static_cast<std::ptrdiff_t>(more.size());
  if (has_options) words.insert(words.end(), more.begin(), more.begin() + options);
  words.push_back(file);
  words.insert(words.end(), more.begin() + (has_options ? options + 1 : 0), more.end());
  return words;
}

ProgramRun run(const Shape& shape, const std::string& name, std::vector<std::string> more = {}) {
  return run_program(command(shape, name, std::move(more)));
}

void check_all_is_well(const ProgramRun& ended) {
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text.find("all is well") != ended.text.npos);
}

int lines_with(const std::string& text, const std::string& part) {
  int lines = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++lines;
  return lines;
}

const std::vector<Shape> kShapes{{1, 1, 1}, {2, 1, 1}, {5, 1, 1}, {4, 1, 2}, {2, 2, 1}, {8, 2, 2}, {16, 2, 1}};

}  // namespace

TEST_CASE("each rank of a program says hello", "[ampi][programs]") {
  const Shape shape = GENERATE(from_range(kShapes));
  const ProgramRun ended = run(shape, "hello", {"one", "two"});
  CHECK(ended.code == 0);
  for (int rank = 0; rank < shape.ranks; ++rank)
    CHECK(lines_with(ended.text,
                     "rank " + std::to_string(rank) + " of " + std::to_string(shape.ranks) + " one two\n") == 1);
  CHECK(lines_with(ended.text, "rank is done\n") == shape.ranks);
}

TEST_CASE("lines of ranks are labelled on demand", "[ampi][programs]") {
  const ProgramRun ended = run({3, 1, 1}, "hello", {"--label", "--"});
  CHECK(ended.code == 0);
  for (int rank = 0; rank < 3; ++rank)
    CHECK(lines_with(ended.text, "[" + std::to_string(rank) + "] rank is done\n") == 1);
}

TEST_CASE("long lines of ranks on several PEs stay whole", "[ampi][programs]") {
  constexpr int kLines = 40, kLength = 70000;  // of each rank
  const Shape shape = GENERATE(Shape{4, 1, 2}, Shape{4, 2, 2});
  const ProgramRun ended = run(shape, "long_lines");
  CHECK(ended.code == 0);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    const std::string text(kLength, static_cast<char>('a' + rank));
    CHECK(lines_with(ended.text, "rank " + std::to_string(rank) + " " + text + ".\n") == kLines);
  }
}

TEST_CASE("programs of sends, receives and requests find all well", "[ampi][programs]") {
  const Shape shape = GENERATE(from_range(kShapes));
  const std::string name = GENERATE("sends_and_receives", "requests", "thread_local_buffers", "cancelled_sends",
                                    "partitioned", "partitioned_errors");
  const ProgramRun ended = run(shape, name);
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("an epoch that never ends is a deadlock, and the run says who waits for it", "[ampi][programs][windows]") {
  const Shape shape = GENERATE(Shape{2, 1, 1}, Shape{2, 2, 1});
  const ProgramRun exposed = run(shape, "window_faults", {"exposed"});
  CHECK(exposed.code == 5);
  CHECK(lines_with(exposed.text, "rank 0, in MPI_Win_wait, for MPI_Win_complete of the origins") == 1);
  const ProgramRun locked = run(shape, "window_faults", {"locked"});
  CHECK(locked.code == 5);
  CHECK(lines_with(locked.text, "for the lock of a window") == 1);
}

TEST_CASE("a window that is freed while it is locked is an error, and one that stays is none",
          "[ampi][programs][windows]") {
  const Shape shape = GENERATE(Shape{2, 1, 1}, Shape{2, 2, 1});
  const ProgramRun freed = run(shape, "window_faults", {"freed"});
  CHECK(freed.code == 1);
  CHECK(lines_with(freed.text, "MPI_Win_free has failed, MPI_ERR_RMA_SYNC") == 1);
  CHECK(run(shape, "window_faults", {"open"}).code == 0);
}

TEST_CASE("buffers in the memory of devices are taken by messages and collectives", "[ampi][programs][devices]") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{3, 1, 1}, Shape{4, 1, 2}, Shape{3, 2, 1});
  const std::string name = GENERATE("device_messages", "device_collectives", "device_windows");
  const ProgramRun ended = run(shape, name, {"--device", "host", "--"});
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("partitions in the memory of devices travel as they are ready", "[ampi][programs][devices]") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{4, 1, 2}, Shape{3, 2, 1});
  const std::string settings = GENERATE("seed=0", "seed=7,devices=2");
  std::vector<std::string> words = command(shape, "partitioned", {"--device", "host", "--", "device"});
  words.insert(words.begin(), {"/usr/bin/env", "KAON_HOST_DEVICE=" + settings});
  const ProgramRun ended = run_program(words);
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("messages and reductions go on in the order of streams", "[ampi][programs][devices]") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{2, 1, 1}, Shape{4, 1, 2}, Shape{3, 2, 1}, Shape{3, 3, 1});
  const std::string settings = GENERATE("seed=0", "seed=0,delay_us=50,devices=2", "seed=3", "seed=8,devices=2,peers=0");
  const bool has_threads = settings.find("seed=0") != settings.npos;
  const std::string name = GENERATE("device_streams", "device_partitions");
  std::vector<std::string> words = command(shape, name, {"--device", "host", "--log-level", "error", "--"});
  if (has_threads) words.push_back("threads");
  words.insert(words.begin(), {"/usr/bin/env", "KAON_HOST_DEVICE=" + settings});
  const ProgramRun ended = run_program(words);
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("a kernel that readies a partition which is not there ends the run", "[ampi][programs][devices]") {
  check_end(run({2, 1, 1}, "device_partitions", {"--device", "host", "--", "unknown"}), 1,
            {"has a kernel that has named a partition which its request of 1 partitions has not"});
}

TEST_CASE("misuse of streams is refused", "[ampi][programs][devices]") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{3, 1, 1}, Shape{4, 2, 1});
  for (const bool has_devices : {true, false}) {
    const ProgramRun ended = has_devices ? run(shape, "device_stream_errors", {"--device", "host", "--"})
                                         : run(shape, "device_stream_errors", {"none"});
    INFO(ended.text);
    CHECK(ended.code == 0);
    CHECK(ended.text == "all is well\n");
  }
}

TEST_CASE("devices are emulated step by step in other orders, and out of each other's reach", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{3, 1, 2}, Shape{3, 3, 1});
  const std::string settings = GENERATE("seed=7,devices=2", "devices=2,peers=0", "foreign=managed");
  const std::string name = GENERATE("device_messages", "device_collectives", "device_windows");
  if (settings == "foreign=managed" && name == "device_windows")
    return;  // the host reaches it, so windows may be of it
  std::vector<std::string> words = command(shape, name, {"--device", "host", "--log-level", "error", "--"});
  words.insert(words.begin(), {"/usr/bin/env", "KAON_HOST_DEVICE=" + settings});
  const ProgramRun ended = run_program(words);
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("random messages come as they were planned", "[ampi][programs]") {
  const Shape shape = GENERATE(from_range(kShapes));
  const std::string seed = GENERATE("1", "2");
  const ProgramRun ended = run(shape, "random_messages", {seed});
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("processes that ranks make run and end by themselves", "[ampi][programs]") {
  const Shape shape = GENERATE(from_range(kShapes));
  const ProgramRun ended = run(shape, "forks");
  INFO(ended.text);
  CHECK(ended.code == 0);
  for (const std::string way : {"0", "1", "3", "4"})
    CHECK(lines_with(ended.text, "child " + way + " of ") == shape.ranks);
}

TEST_CASE("a rank that ends the run gives its code", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{4, 1, 1}, Shape{4, 1, 2}, Shape{4, 2, 1});
  struct Case {
    std::string how;
    int code;
    std::string said;
  };
  const Case end = GENERATE(Case{"abort", 42, "rank 1 has called MPI_Abort with code 42"},
                            Case{"abort by no byte", 1, "rank 1 has called MPI_Abort with code 256"},
                            Case{"exit", 7, "rank 1 has ended with exit code 7 without MPI_Finalize"},
                            Case{"return", 1, "rank 1 has ended with exit code 0 without MPI_Finalize"},
                            Case{"assert", 134, "rank 1 has called abort()"}, Case{"invalid", 1, "MPI_Send has failed"},
                            Case{"late code", 9, ""});
  check_end(run(shape, "ends", {end.how, "1"}), end.code, {end.said});
}

TEST_CASE("abort() tells which functions of the program have led there", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{3, 1, 1}, Shape{4, 2, 1});
  const ProgramRun ended = run(shape, "ends", {"assert", "1"});
  INFO(ended.text);
  CHECK(ended.code == 128 + 6);
  const std::size_t stack = ended.text.find("its stack follows");
  REQUIRE(stack != ended.text.npos);
  const std::size_t inner = ended.text.find("] give_up", stack), outer = ended.text.find("] main", stack);
  CHECK(inner < outer);
  CHECK(outer != ended.text.npos);
}

TEST_CASE("an operation of the program may not communicate, and is told so", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{2, 1, 1}, Shape{4, 1, 2}, Shape{2, 2, 1}, Shape{4, 2, 2}, Shape{8, 2, 2});
  const std::string what = GENERATE("barrier", "allreduce", "receive", "probe", "test");
  const std::string form = GENERATE("blocking", "non-blocking");
  const ProgramRun ended = run(shape, "operations", {what, form});
  INFO(what + ", " + form + ": " + ended.text);
  CHECK(ended.code == 1);
  CHECK(ended.text.find("in a function of an MPI_Op") != ended.text.npos);
}

TEST_CASE("an operation of the program may ask for what is there, and sleep", "[ampi][programs]") {
  const Shape shape = GENERATE(from_range(kShapes));
  const std::string form = GENERATE("blocking", "non-blocking");
  const ProgramRun ended = run(shape, "operations", {"local", form});
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("processes are made for ranks, of which each gets no more than wanted", "[ampi][programs]") {
  const int ranks = GENERATE(1, 4, 5), most = GENERATE(1, 2, 3);
  const ProgramRun ended = run_program({program("ampirun"), "-n", std::to_string(ranks), "--ranks-per-process",
                                        std::to_string(most), test_program("ampi/processes")});
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == std::to_string((ranks + most - 1) / most) + " processes\n");
}

TEST_CASE("a rank that overruns its stack is named, with the option that helps", "[ampi][programs]") {
  if (kHasAddressSanitizer || kHasThreadSanitizer) return;  // they have handlers of crashes of their own
  const std::string how = GENERATE("overrun", "overrun at once");
  check_end(run({2, 1, 1}, "ends", {"--stack-size", "128K", "--", how, "1"}), 128 + 11,
            {"stack of 128 KiB (ampirun --stack-size", "in rank 1"});
}

TEST_CASE("sends that a busy PE has yet to take wait for it, however many", "[ampi][programs]") {
  check_all_is_well(run({2, 1, 2}, "queue_limit", {"--queue-limit-mib", "12", "--"}));
}

TEST_CASE("the streams of a rank have the numbers of descriptors", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{5, 2, 1});
  const ProgramRun ended = run(shape, "streams");
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(lines_with(ended.text, "all is well") == shape.ranks);
}

TEST_CASE("what a rank sends leaves though it only sends and computes", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{2, 2, 1}, Shape{3, 2, 1});
  check_all_is_well(run(shape, "only_sends"));
  check_all_is_well(run(shape, "only_sends", {"few"}));
}

TEST_CASE("what a rank of the same PE waits for comes though the sender only sends and computes", "[ampi][programs]") {
  check_all_is_well(run({2, 1, 1}, "only_sends"));
}

TEST_CASE("what a rank sends leaves before it computes for long, also behind short turns", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{2, 1, 2}, Shape{2, 2, 1}, Shape{8, 1, 2}, Shape{8, 2, 1});
  check_all_is_well(run(shape, "prompt_sends"));
}

TEST_CASE("a rank that only receives and computes answers synchronous sends", "[ampi][programs]") {
  const ProgramRun ended = run({2, 2, 1}, "only_receives");
  INFO(ended.text);
  CHECK(ended.code == 0);
  CHECK(ended.text == "all is well\n");
}

TEST_CASE("a run whose ranks all wait is a deadlock, which says for what", "[ampi][programs]") {
  const Shape shape = GENERATE(Shape{3, 1, 1}, Shape{4, 2, 1});
  const ProgramRun ended = run(shape, "ends", {"deadlock", "-1"});
  INFO(ended.text);
  CHECK(ended.code == 5);
  CHECK(lines_with(ended.text, "for a message from any rank with tag 77") == shape.ranks);
  CHECK(ended.text.find("rank 2, for a message") != ended.text.npos);
}

}  // namespace kaon::testing
