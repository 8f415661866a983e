// SPDX-License-Identifier: Apache-2.0
// By hand, between two processes with a CUDA device each: data behind a producing and before a consuming kernel, to and
// fro. The hosts are between the kernels: one sees an event, sets a word, the other one sees the word and launches.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>

#include "bench/gpu/floors/report.hpp"
#include "bench/gpu/hops/hop_kernel.hpp"
#include "bench/gpu/hops/pair.hpp"

namespace {

using namespace kaon::bench;

struct Options {
  std::vector<std::size_t> sizes{8, 4096, 128 << 10, 1 << 20};
  int hops = 2000, repetitions = 5;
  bool is_json = false;
};

// How data gets from one device to the other.
enum class Way {
  copied,  // by the consumer's stream, before its kernel
  read,    // by the consuming kernel, where it was made
  stored,  // by the producing kernel, where it is consumed
};

struct NamedWay {
  Way way;
  const char* name;
};
constexpr NamedWay kWays[] = {{Way::copied, "copied"}, {Way::read, "read in place"}, {Way::stored, "stored in place"}};

void hop(Pair& pair, Way way, std::size_t count, std::uint32_t number) {
  const cudaStream_t stream = pair.stream();
  const bool is_first = number == 0;  // nothing came yet: the own buffer of zeros is consumed
  if (way == Way::copied && !is_first)
    check(cudaMemcpyAsync(pair.in(), pair.peer_out(), count * sizeof(std::uint64_t), cudaMemcpyDefault, stream),
          "copy");
  const std::uint64_t* const from = way == Way::read && !is_first ? pair.peer_out() : pair.in();
  launch_add_one(way == Way::stored ? pair.peer_in() : pair.out(), from, count, stream);
  check(cudaGetLastError(), "launch a kernel");
  pair.wait_for_stream();
}

void require_right(Pair& pair, Way way, std::size_t count, std::uint32_t hops) {
  std::uint64_t ends[2];
  const std::uint64_t* const made = way == Way::stored ? pair.peer_in() : pair.out();
  check(cudaMemcpy(&ends[0], made, sizeof ends[0], cudaMemcpyDefault), "read a word");
  check(cudaMemcpy(&ends[1], made + count - 1, sizeof ends[1], cudaMemcpyDefault), "read a word");
  for (const std::uint64_t end : ends)
    if (end != hops)
      throw std::runtime_error("hops made " + std::to_string(end) + " of 0, not " + std::to_string(hops));
}

// Seconds of an even number of hops; the second process makes the last one.
double seconds_of(Pair& pair, Way way, std::size_t count, std::uint32_t hops) {
  pair.reset_turns();
  const auto start = std::chrono::steady_clock::now();
  for (auto number = static_cast<std::uint32_t>(pair.rank()); number < hops; number += 2) {
    pair.wait_for_turn(number);
    hop(pair, way, count, number);
    pair.give_turn(number + 1);
  }
  if (pair.rank() == 0) pair.wait_for_turn(hops);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (pair.rank() == 1) require_right(pair, way, count, hops);
  pair.barrier();
  return seconds;
}

// From the call that launches the kernel of a hop, which is small, until the host sees what it stores at its end: what
// of a hop is no transfer's. While the other process has nothing to do.
double seconds_of_kernel(Pair& pair, std::size_t count, std::uint32_t rounds) {
  pair.reset_turns();
  std::vector<double> times;
  for (std::uint32_t round = 1; round <= rounds && pair.rank() == 0; ++round) {
    const auto start = std::chrono::steady_clock::now();
    launch_and_show(pair.out(), pair.in(), count, pair.shown(), round, pair.stream());
    pair.wait_until_shown(round);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    pair.wait_for_stream();
  }
  pair.barrier();
  return pair.rank() == 0 ? median(times) : 0;
}

void measure(SharedPage& page, int rank, const Options& options) {
  show_one_device(rank);
  const Report report(options.is_json);
  Pair pair(page, rank, *std::max_element(options.sizes.begin(), options.sizes.end()));
  for (const std::size_t bytes : options.sizes)
    for (const NamedWay& way : kWays) {
      const std::size_t count = bytes / sizeof(std::uint64_t);
      const auto hops = static_cast<std::uint32_t>(options.hops / 2 * 2);
      seconds_of(pair, way.way, count, hops / 10 / 2 * 2 + 2);  // memory is mapped, clocks go up
      std::vector<double> times;
      for (int i = 0; i < options.repetitions; ++i) times.push_back(seconds_of(pair, way.way, count, hops) / hops);
      if (rank == 0)
        report.add("hop by hand, " + std::string(way.name) + " " + std::to_string(bytes) + " B", median(times) * 1e6,
                   "us");
    }
  const double kernel = seconds_of_kernel(pair, 1, static_cast<std::uint32_t>(options.hops));
  if (rank == 0) report.add("kernel by hand, from its launch until its end shows", kernel * 1e6, "us");
}

int run_as(SharedPage& page, int rank, const Options& options) {
  try {
    measure(page, rank, options);
    return 0;
  } catch (const std::exception& error) {
    page.failed.value.store(1);
    std::fprintf(stderr, "gpu_hops: %s\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Data behind a producing and before a consuming kernel, to and fro between two devices, by hand");
  app.add_option("--sizes", options.sizes, "Bytes")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{8}, std::size_t{1} << 30));
  app.add_option("--hops", options.hops, "Of each run")->check(CLI::Range(2, 1'000'000))->capture_default_str();
  app.add_option("--repetitions", options.repetitions)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_flag("--json", options.is_json, "One JSON object a line");
  CLI11_PARSE(app, argc, argv);

  SharedPage& page = make_shared_page();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return std::perror("fork"), 1;
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 1;  // it ended before that took hold
    return run_as(page, 1, options);
  }
  const int failed = run_as(page, 0, options);
  int status = 0;
  waitpid(child, &status, 0);
  return failed != 0 || status != 0 ? 1 : 0;
}
