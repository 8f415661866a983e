// SPDX-License-Identifier: Apache-2.0
// Plain UCX between two processes of this machine, for runs that alternate with ours. One JSON object a line.
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/programs/measurement.hpp"
#include "bench/ucx_floor/two_processes.hpp"
#include "bench/ucx_floor/ucx_balls.hpp"
#include "bench/ucx_floor/ucx_link.hpp"
#include "bench/ucx_floor/ucx_peers.hpp"

namespace {

using kaon::bench::Carrier;
using kaon::bench::Game;
using kaon::bench::Pattern;
using kaon::bench::UcxBalls;
using kaon::bench::UcxConnection;
using kaon::bench::UcxLink;

struct Options {
  std::vector<std::size_t> sizes{8, 64, 1024, 8192, 65536, 1 << 20, 4 << 20};
  int repetitions = 5;
  int round_trips = 20000;  // of 8 bytes; fewer for longer ones
  int messages = 1000000;
  std::vector<std::size_t> patterns;  // bytes of the balls
  int window = 8;
  double milliseconds = 40;
  int peers = 0;
  kaon::bench::LinkSettings link;
};

void pin(int which) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || which-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

const char* name_of(Carrier carrier) { return carrier == Carrier::tagged ? "tag" : "am"; }

void print(const std::string& which, std::vector<double> values, const char* unit) {
  std::sort(values.begin(), values.end());
  const nlohmann::json line{{"bench", "raw_ucx"}, {"case", which},         {"value", values[values.size() / 2]},
                            {"unit", unit},       {"min", values.front()}, {"max", values.back()}};
  std::puts(line.dump().c_str());
}

// The carriers alternate, so that a change of the machine's speed meets both.
template <class Measure>
void compare(const Options& options, bool is_first, const std::string& what, const char* unit, Measure measure) {
  std::vector<double> values[2];
  for (int i = 0; i < options.repetitions; ++i) {
    for (const Carrier carrier : {Carrier::tagged, Carrier::active}) {
      values[static_cast<std::size_t>(carrier)].push_back(measure(carrier));
    }
  }
  if (!is_first) return;
  for (const Carrier carrier : {Carrier::tagged, Carrier::active}) {
    print(name_of(carrier) + (" " + what), values[static_cast<std::size_t>(carrier)], unit);
  }
}

// Of one throw, when all balls together take about so long. Both processes must come to the same number of throws, so
// the second takes the first one's.
double seconds_of_a_throw(UcxConnection& connection, UcxBalls& balls, Game game, const Options& options) {
  const double seconds = connection.from_first(balls.seconds(game));
  game.throws = kaon::bench::repetitions_for(options.milliseconds / 1e3, game.throws, seconds, 1'000'000) / 2 * 2 + 2;
  return balls.seconds(game) / game.throws;
}

void measure_patterns(UcxConnection& connection, bool is_first, const Options& options) {
  UcxBalls balls(connection, is_first);
  for (const std::size_t bytes : options.patterns)
    for (const Pattern pattern : {Pattern::fixed, Pattern::handed_on}) {
      const std::string name = (pattern == Pattern::fixed ? " fixed " : " handed on ") + kaon::bench::size_name(bytes);
      std::vector<double> latencies, rates;
      for (int i = 0; i < options.repetitions; ++i) {
        latencies.push_back(1e6 * seconds_of_a_throw(connection, balls, {bytes, 1, false, 20, pattern}, options));
        const Game both{bytes, options.window, true, 4, pattern};
        rates.push_back(1e-9 * static_cast<double>(bytes) * both.all_balls() /
                        seconds_of_a_throw(connection, balls, both, options));
      }
      if (!is_first) continue;
      print("one ball" + name, latencies, "us");
      print("both ways" + name, rates, "GB/s");
    }
}

void measure_links(UcxConnection& connection, bool is_first, const Options& options) {
  UcxLink link(connection, is_first);
  for (const std::size_t bytes : options.sizes) {
    const int round_trips = std::max(
        20, static_cast<int>(static_cast<double>(options.round_trips) / (1.0 + static_cast<double>(bytes) / 2048)));
    compare(options, is_first, "latency " + std::to_string(bytes) + " B", "us",
            [&](Carrier carrier) { return link.latency_us(carrier, bytes, round_trips); });
  }
  if (options.messages == 0) return;
  compare(options, is_first, "rate 8 B", "messages/s",
          [&](Carrier carrier) { return link.messages_per_second(carrier, 8, options.messages); });
}

void measure(int socket, bool is_first, const Options& options) {
  pin(is_first ? 0 : 1);
  if (options.peers > 0) {
    const double bytes = kaon::bench::bytes_of_a_ucx_peer(socket, is_first, options.peers, options.link);
    if (is_first) print("peer", {bytes}, "B");
    return;
  }
  UcxConnection connection(socket, is_first, options.link);
  if (options.patterns.empty())
    measure_links(connection, is_first, options);
  else
    measure_patterns(connection, is_first, options);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Plain UCX between two processes: latency one way and message rate, tagged and active messages");
  app.add_option("--sizes", options.sizes, "Bytes of the messages whose latency is measured")->delimiter(',');
  app.add_option("--repetitions", options.repetitions)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--round-trips", options.round_trips)->check(CLI::Range(20, 100'000'000))->capture_default_str();
  app.add_option("--messages", options.messages, "Of the rate; 0 leaves it out")
      ->check(CLI::IsMember(std::vector<int>{0}) | CLI::Range(64, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--patterns", options.patterns, "Instead: balls of these bytes, one and a window of each process")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{8}, std::size_t{1} << 30));
  app.add_option("--window", options.window, "Balls of each process")->check(CLI::Range(1, 1000));
  app.add_option("--milliseconds", options.milliseconds, "Of each measurement of --patterns")
      ->check(CLI::Range(0.1, 1e5));
  app.add_option("--peers", options.peers, "Instead: private memory for each of so many peers")
      ->check(CLI::Range(8, 10'000));
  app.add_flag("--wakeup", options.link.can_wake, "With UCX's event descriptor, as a program that sleeps needs it");
  app.add_option("--rendezvous", options.link.rendezvous_bytes, "Bytes from which UCX fetches; auto: UCX chooses")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  return kaon::bench::run_in_two_processes("raw_ucx",
                                           [&](int socket, bool is_first) { measure(socket, is_first, options); });
}
