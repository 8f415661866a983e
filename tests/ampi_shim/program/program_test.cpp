// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/program.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "kaon/runtime/base/error.hpp"
#include "tests/ampi_shim/program/ranks_of_thread.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"

namespace kaon::ampi {
namespace {

using testing::contains_text;

constexpr int kRanks = 64;
constexpr int kKinds = 8;  // of arguments, so that few processes tell what all ranks must do

using Arguments = std::vector<std::string>;

std::unique_ptr<Program> open(const std::string& name, bool share_globals = false) {
  return Program::open({.path = loaded_program(name), .share_globals = share_globals, .hooks = RanksOfThread::hooks()});
}

Arguments arguments_of(const std::string& name, int rank) {
  const std::string number = std::to_string(rank % kKinds);
  Arguments all{loaded_program(name), number};
  if (name.starts_with("libc_state")) {
    const Arguments options{"-a", "file", "--size=" + number, "-b", number, "--qui", "-x"};
    all.insert(all.end(), options.begin(), options.begin() + rank % kKinds);
  }
  return all;
}

/// What a process of its own writes with these arguments.
std::vector<testing::ProgramRun> run_processes(const std::string& name) {
  std::vector<testing::ProgramRun> runs;
  for (int kind = 0; kind < kKinds; ++kind) {
    Arguments command{"/bin/sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null </dev/null"};
    const auto arguments = arguments_of(name, kind);
    command.insert(command.end(), arguments.begin(), arguments.end());
    runs.push_back(testing::run_program(command));
  }
  return runs;
}

void run_ranks(Program& program, const std::string& name, int count, const std::vector<testing::ProgramRun>& expected) {
  RanksOfThread ranks(program);
  for (int rank = 0; rank < count; ++rank) ranks.add(arguments_of(name, rank));
  ranks.run();
  for (int rank = 0; rank < count; ++rank) {
    const auto& process = expected[static_cast<std::size_t>(rank % kKinds)];
    const auto& found = ranks[static_cast<std::size_t>(rank)];
    if (found.output == process.text && found.code == process.code) continue;  // Catch2 is not for several threads
    throw std::runtime_error("rank " + std::to_string(rank) + " ended with " + std::to_string(found.code) + " for " +
                             std::to_string(process.code) + " and wrote\n" + found.output + "\nfor\n" + process.text);
  }
}

void compare_with_processes(const std::string& name) {
  INFO(name);
  const auto expected = run_processes(name);
  const auto program = open(name);
  REQUIRE_NOTHROW(run_ranks(*program, name, kRanks, expected));
  // Slots of images that are gone are used again.
  REQUIRE_NOTHROW(run_ranks(*program, name, kRanks / 2, expected));
}

std::string refusal(const std::string& path) {
  try {
    Program::open({.path = path, .hooks = {}});
  } catch (const runtime::UsageError& error) {
    return error.what();
  }
  return "nothing";
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Of a file with these contents.
std::string refusal_of(const std::string& contents, mode_t mode) {
  char path[] = "/tmp/kaon_program_XXXXXX";
  const int descriptor = mkstemp(path);
  REQUIRE(write(descriptor, contents.data(), contents.size()) == static_cast<ssize_t>(contents.size()));
  REQUIRE(fchmod(descriptor, mode) == 0);
  close(descriptor);
  const std::string said = refusal(path);
  unlink(path);
  return said;
}

}  // namespace

TEST_CASE("each rank has the globals of a C program to itself", "[ampi][program]") {
  for (const auto* name : {"globals", "globals_stripped", "globals_O0", "globals_now", "globals_packed"}) {
    compare_with_processes(name);
  }
}

TEST_CASE("each rank has the state of the C library to itself", "[ampi][program]") {
  for (const auto* name : {"libc_state", "libc_state_fortified"}) compare_with_processes(name);
}

TEST_CASE("each rank has standard streams of its own", "[ampi][program]") {
  for (const auto* name : {"output", "output_fortified", "reopened"}) compare_with_processes(name);
}

TEST_CASE("each rank has the objects of a C++ program to itself", "[ampi][program]") {
  for (const auto* name : {"objects", "objects_stripped", "objects_O0", "objects_of_static_libraries"})
    compare_with_processes(name);
}

TEST_CASE("each rank has thread-local variables of its own, and so have its threads", "[ampi][program]") {
  for (const auto* name : {"thread_locals", "thread_locals_O0", "threads"}) compare_with_processes(name);
}

TEST_CASE("main without arguments is found in a program without symbols", "[ampi][program]") {
  compare_with_processes("bare_stripped");
}

TEST_CASE("a rank that ends in any way ends alone", "[ampi][program]") {
  const auto program = open("exits");
  const Arguments ways{"exit", "again", "at_once", "quick", "errx", "return"};
  RanksOfThread ranks(*program);
  for (const auto& way : ways) ranks.add({loaded_program("exits"), way});
  ranks.run();
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto process = testing::run_program(
        {"/bin/sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null </dev/null", loaded_program("exits"), ways[i]});
    INFO(ways[i]);
    CHECK(ranks[i].output == process.text);
    CHECK(ranks[i].code == process.code);
    CHECK_FALSE(ranks[i].has_aborted);
  }
  CHECK(ranks[4].errors == "exits: wrong 1\n");
  ranks.unload();
  CHECK(ranks[2].output == "constructor\n");
}

TEST_CASE("a rank that aborts is told of, after what it wrote", "[ampi][program]") {
  const auto program = open("exits");
  RanksOfThread ranks(*program);
  for (const auto* way : {"assert", "abort", "exit"}) ranks.add({loaded_program("exits"), way});
  ranks.run();
  CHECK(ranks[0].has_aborted);
  CHECK(ranks[0].output == "constructor\n");
  CHECK(ranks[0].errors.find("exits.c:") != std::string::npos);
  CHECK(ranks[0].errors.find("Assertion `depth == 1' failed.") != std::string::npos);
  CHECK(ranks[1].has_aborted);
  CHECK(ranks[1].output == "constructor\nunfinished");
  CHECK_FALSE(ranks[2].has_aborted);
}

TEST_CASE("errors and input of a rank are its own", "[ampi][program]") {
  const auto program = open("output");
  RanksOfThread ranks(*program);
  ranks.add({"a/output", "1"}, "17\nrest");
  ranks.add({"a/output", "2"});
  ranks.run();
  CHECK(ranks[0].output.find("\n1 17 10\n") != std::string::npos);
  CHECK(ranks[1].output.find("\n-1 0 -1\n") != std::string::npos);
  CHECK(ranks[0].errors == "told: No such file or directory\nerror of 1\n");
  CHECK(ranks[1].errors == "told: No such file or directory\nerror of 2\n");
}

TEST_CASE("two threads run ranks of one program", "[ampi][program]") {
  for (const std::string name : {"objects", "libc_state", "thread_locals"}) {
    const auto expected = run_processes(name);
    const auto program = open(name);
    std::string faults[2];
    std::vector<std::thread> threads;
    for (auto& fault : faults) {
      threads.emplace_back([&] {
        try {
          for (int round = 0; round < 4; ++round) run_ranks(*program, name, kRanks, expected);
        } catch (const std::exception& caught) {
          fault = caught.what();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(faults[0].empty());
    CHECK(faults[1].empty());
  }
}

TEST_CASE("a rank may go on in another thread", "[ampi][program]") {
  const auto expected = run_processes("objects");
  const auto program = open("objects");
  RanksOfThread ranks(*program);
  for (int rank = 0; rank < kKinds; ++rank) ranks.add(arguments_of("objects", rank));
  ranks.run_in_new_threads();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) CHECK(ranks[rank].output == expected[rank].text);
}

TEST_CASE("a thousand ranks run in one process", "[ampi][program]") {
  for (const std::string name : {"globals", "objects"}) {
    const auto expected = run_processes(name);
    const auto program = open(name);
    REQUIRE_NOTHROW(run_ranks(*program, name, 1000, expected));
  }
}

TEST_CASE("shared globals are those of all ranks of a thread, and the library's state is not", "[ampi][program]") {
  const auto expected = run_processes("libc_state");
  const auto program = open("libc_state", true);
  REQUIRE_NOTHROW(run_ranks(*program, "libc_state", kRanks, expected));

  const auto counting = open("bare_stripped", true);
  RanksOfThread ranks(*counting);
  for (int rank = 0; rank < 3; ++rank) ranks.add({"bare"});
  ranks.run();
  CHECK(ranks[2].code == 3);
}

TEST_CASE("thread-local variables of all ranks have one address, and are the running one's", "[ampi][program]") {
  const auto program = open("thread_locals");
  CHECK(program->thread_local_bytes() > 0);
  int one = 0;
  const auto first = program->load(&one);
  const auto second = program->load(&one);
  auto* address = static_cast<std::byte*>(__builtin_thread_pointer()) - 16;
  const auto variables = first->thread_locals();
  CHECK(variables.size() == program->thread_local_bytes());
  CHECK((variables.data() <= address && address < variables.data() + variables.size()));
  CHECK(second->thread_locals().data() == variables.data());
  first->switch_in();
  *address = std::byte{11};
  first->switch_out();
  second->switch_in();
  *address = std::byte{22};
  second->switch_out();
  first->switch_in();
  CHECK(*address == std::byte{11});
  first->switch_out();
}

TEST_CASE("a thread that begins when its rank has gone has the program's thread-local variables", "[ampi][program]") {
  const auto program = open("threads");
  int one = 0, in_thread = 0;
  auto image = program->load(&one);
  image->switch_in();
  ProgramImage::Life life = ProgramImage::calling_life();
  const auto offset = image->thread_locals().data() - static_cast<std::byte*>(__builtin_thread_pointer());
  image->switch_out();
  image.reset();
  std::thread([&] {
    ProgramImage::enter_new_thread(std::move(life));
    if (ProgramImage::calling() != nullptr) return;  // it is nobody's
    in_thread = *reinterpret_cast<int*>(static_cast<std::byte*>(__builtin_thread_pointer()) + offset);
  }).join();
  CHECK(in_thread == 6);
}

TEST_CASE("a library outlives the program, as its threads may", "[ampi][program]") {
  const auto is_there = [] { return dlopen("libstays.so", RTLD_LAZY | RTLD_NOLOAD) != nullptr; };
  CHECK_FALSE(is_there());
  { const auto program = open("of_library"); }
  CHECK(is_there());
}

TEST_CASE("what cannot be loaded is refused with what to do", "[ampi][program]") {
  CHECK_THAT(refusal(loaded_program("bare_static")), contains_text("linked statically") && contains_text("ampicc"));
  CHECK_THAT(refusal(loaded_program("bare_static_pie")), contains_text("linked statically"));
  CHECK_THAT(refusal(loaded_program("bare_fixed")), contains_text("fixed addresses") && contains_text("-fPIE -pie"));
  CHECK_THAT(refusal(loaded_program("large_thread_locals")), contains_text("64 KiB of thread-local"));
  CHECK_THAT(refusal(loaded_program("missing_library")), contains_text("LD_LIBRARY_PATH"));
  CHECK_THAT(refusal(loaded_program("missing_function")), contains_text("function_of_library"));
  CHECK_THAT(refusal(loaded_program("of_another_mpi")),
             contains_text("another MPI, libmpi.so.40; build it with ampicc"));
  CHECK_THAT(refusal(loaded_program("of_sanitizer")), contains_text("without -fsanitize"));
  CHECK_THAT(refusal(loaded_program("not_there")), contains_text("No such file"));
  CHECK_THAT(refusal("/"), contains_text("not a file"));
}

TEST_CASE("files that are no programs of this machine are refused", "[ampi][program]") {
  const std::string bare = contents_of(loaded_program("bare_stripped"));
  constexpr std::size_t kMachineAt = 18;  // in the ELF header
  std::string other_machine = bare;
  other_machine[kMachineAt] = '\x7f';
  CHECK_THAT(refusal_of("#!/bin/sh\n" + std::string(64, '#'), 0755), contains_text("script"));
  CHECK_THAT(refusal_of("text", 0755), contains_text("not an executable"));
  CHECK_THAT(refusal_of(std::string(100, 'x'), 0755), contains_text("not an executable"));
  CHECK_THAT(refusal_of(bare, 0644), contains_text("chmod +x"));
  CHECK_THAT(refusal_of(other_machine, 0755), contains_text("another kind of machine"));
  CHECK_THAT(refusal_of(bare.substr(0, 200), 0755), contains_text("damaged"));
  CHECK_THAT(refusal_of(bare.substr(0, 0x1400), 0755), contains_text("damaged"));
}

}  // namespace kaon::ampi
