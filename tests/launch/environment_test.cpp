// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/environment.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/alone_bootstrap.hpp"
#include "kaon/runtime/launch/frame_body.hpp"
#include "kaon/runtime/launch/socket_bootstrap.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using Table = std::map<std::string, std::string>;

Starter read(const Table& table) {
  return find_starter([&table](const char* name) {
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("a process started by kaonrun finds its socket, whatever else has started that", "[launch]") {
  CHECK(read({{"KAON_BOOTSTRAP_FD", "7"},
              {"KAON_PROCESSES", "4"},
              {"SLURM_NTASKS", "8"},
              {"PMIX_NAMESPACE", "job"},
              {"PMIX_RANK", "0"}}) == Starter{Starter::Kind::kaonrun, 7});
}

TEST_CASE("a process that nobody started with others is alone", "[launch]") {
  CHECK(read({}) == Starter{});
  CHECK(read({{"SLURM_NTASKS", "1"}}) == Starter{});
  CHECK(read({{"OMPI_COMM_WORLD_SIZE", "1"}}) == Starter{});
  CHECK(read({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}) == Starter{});
  CHECK(read({{"SLURM_PROCID", "0"}}) == Starter{});  // a script that is one of nothing
  CHECK(read({{"OMPI_COMM_WORLD_RANK", "0"}}) == Starter{});
}

TEST_CASE("a process of a launcher that speaks PMIx joins by that", "[launch]") {
  const Starter by_pmix{Starter::Kind::pmix};
  CHECK(read({{"PMIX_NAMESPACE", "job"}, {"PMIX_RANK", "0"}}) == by_pmix);
  CHECK(read({{"PMIX_NAMESPACE", "job"}, {"PMIX_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}}) == by_pmix);
  CHECK(read({{"PMIX_NAMESPACE", "job"}, {"PMIX_RANK", "1"}, {"SLURM_NTASKS", "4"}}) == by_pmix);
}

TEST_CASE("what a process of a launcher's starts does not take its place", "[launch][bad input]") {
  const Table own{{"PMIX_NAMESPACE", "job"}, {"PMIX_RANK", "1"}, {"KAON_JOINED", joined_as("job", "1")}};
  CHECK(read(own) == Starter{Starter::Kind::pmix});  // this process, again
  Table inherited = own;
  inherited["KAON_JOINED"] = "job.1 by 1";
  CHECK_THROWS_AS(read(inherited), UsageError);
  inherited["SLURM_NTASKS"] = "4";
  inherited.erase("PMIX_NAMESPACE");  // the cure that it names
  CHECK(read(inherited) == Starter{});
  inherited["PMIX_NAMESPACE"] = "another job";  // which it has started
  CHECK(read(inherited) == Starter{Starter::Kind::pmix});
  inherited["PMIX_NAMESPACE"] = "job of another";
  inherited["KAON_JOINED"] = "job of one.1 by 1";
  CHECK(read(inherited) == Starter{Starter::Kind::pmix});
}

TEST_CASE("several processes of another launcher are refused, and the cure is named", "[launch]") {
  const Table table = GENERATE(values<Table>({{{"SLURM_NTASKS", "2"}},
                                              {{"OMPI_COMM_WORLD_SIZE", "4"}},
                                              {{"PMI_RANK", "0"}},
                                              {{"PMI_ID", "0"}, {"PMI_PORT", "host:4000"}},
                                              {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}}));
  try {
    read(table);
    FAIL("it was accepted");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("kaonrun -n Q PROGRAM") != std::string::npos);
  }
}

TEST_CASE("only the first process of another launcher gives the cure", "[launch]") {
  try {
    read({{"PMI_SIZE", "3"}, {"PMI_RANK", "2"}});
    FAIL("it was accepted");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()) ==
          "PMI_SIZE=3, PMI_RANK=2: the first process says what is wrong with this launcher");
  }
}

TEST_CASE("variables that make no sense are refused", "[launch]") {
  CHECK_THROWS_AS(read({{"KAON_BOOTSTRAP_FD", "seven"}}), UsageError);
  CHECK_THROWS_AS(read({{"KAON_BOOTSTRAP_FD", ""}}), UsageError);
  CHECK_THROWS_AS(read({{"KAON_BOOTSTRAP_FD", "7 or 8"}}), UsageError);
  CHECK_THROWS_AS(read({{"KAON_PROCESSES", "2"}}), UsageError);  // without the way to them
}

TEST_CASE("processes alone have secrets of their own", "[launch]") {
  const AloneBootstrap one, other;
  CHECK(one.secret() != other.secret());
  CHECK(one.secret() != Secret{});
}

TEST_CASE("a program of another version than its kaonrun says so", "[launch]") {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const Descriptor kaonrun(ends[0]);
  Frame welcome = welcome_frame({seat_on_one_host(0, 1), {}, {}});
  welcome.body.resize(welcome.body.size() - 20);  // as a version would make it that knows less
  const std::vector<std::byte> bytes = encode(welcome);
  REQUIRE(write(kaonrun.number(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  CHECK_THROWS_WITH(SocketBootstrap(Descriptor(ends[1])), contains_text("are both of one version of Kaon?"));
}

TEST_CASE("a run of one process never waits", "[launch]") {
  AloneBootstrap alone;
  const std::vector<std::byte> contact{std::byte{7}};
  alone.put(1, contact);
  alone.fence(Bootstrap::kLauncherDecides);
  CHECK(alone.get(0) == contact);
  CHECK_THROWS_AS(alone.get(1), UsageError);
  alone.arrive();
  CHECK(alone.is_released());
}

TEST_CASE("each kind of error has its exit code", "[launch]") {
  CHECK(exit_code(UsageError("")) == 2);
  CHECK(exit_code(LostPeer("")) == 3);
  CHECK(exit_code(CorruptMessage("")) == 3);
  CHECK(exit_code(OutOfMemory("")) == 4);
  CHECK(exit_code(std::runtime_error("")) == 1);
}

}  // namespace kaon::testing
