// SPDX-License-Identifier: Apache-2.0
// Plain UCX between two processes with a device each: what a message from device to device costs below any runtime.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/gpu/floors/cuda.hpp"
#include "bench/gpu/floors/report.hpp"
#include "bench/gpu/raw_ucx/peer_link.hpp"
#include "bench/gpu/raw_ucx/pinned_memory.hpp"
#include "bench/gpu/raw_ucx/staging.hpp"
#include "bench/ucx_floor/two_processes.hpp"

namespace {

using namespace kaon::bench;

struct Options {
  std::vector<std::size_t> sizes{8,       64,      512,     4096,     16384,    65536,
                                 1 << 18, 1 << 20, 1 << 22, 16 << 20, 64 << 20, 256 << 20};
  std::vector<std::string> devices{"0", "1"};
  std::string rendezvous = "auto";
  int repetitions = 5;
  bool is_json = false, has_staging = true;
};

constexpr std::size_t kRegionBytes = std::size_t{512} << 20;

// Before the first call of CUDA or UCX. Which device a process sees decides where its memory and its context are; two
// processes with a context on one device take turns on it.
void choose_device(const Options& options, int process) {
  std::vector<std::string> devices = options.devices;
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) devices = CLI::detail::split(visible, ',');
  const std::string& own = devices.at(static_cast<std::size_t>(process) % devices.size());
  setenv("CUDA_VISIBLE_DEVICES", own.c_str(), 1);
  setenv("UCX_TLS", "posix,cma,tcp,cuda_copy,cuda_ipc", 0);
  if (visible_devices() == 0) {
    throw std::runtime_error("process " + std::to_string(process) +
                             " sees no CUDA device; it needs one each (--devices 0,1)");
  }
  check(cudaSetDevice(0), "choose a device");
  check(cudaFree(nullptr), "start CUDA");  // UCX looks for a context of this thread
}

// A tenth of a second for each repetition, more or less.
int round_trips_of(std::size_t bytes) {
  return std::clamp(static_cast<int>(50'000.0 / (16.0 + static_cast<double>(bytes) / 150'000.0)), 10, 2000);
}
int messages_of(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>((std::size_t{4} << 30) / bytes, 16, 4096));
}

class Measurement {
 public:
  Measurement(PeerLink& link, const Report& report, bool is_first, const Options& options)
      : link_(link), report_(report), is_first_(is_first), options_(options) {}

  void latency(const std::string& which, std::size_t bytes) const {
    add(which + " latency " + std::to_string(bytes) + " B", "us",
        [&] { return link_.latency_us(bytes, round_trips_of(bytes)); });
  }
  void bandwidth(const std::string& which, std::size_t bytes, bool is_both_ways) const {
    const int count = messages_of(bytes);
    const Traffic traffic{bytes, is_first_ || is_both_ways ? count : 0, !is_first_ || is_both_ways ? count : 0};
    const double moved = static_cast<double>(bytes) * count * (is_both_ways ? 2 : 1);
    add(which + (is_both_ways ? " both ways " : " one way ") + std::to_string(bytes) + " B", "GB/s",
        [&] { return moved / (link_.seconds(traffic) * 1e9); });
  }

 private:
  template <class Measure>
  void add(const std::string& which, const char* unit, Measure measure) const {
    measure();  // UCX connects and maps
    std::vector<double> values;
    for (int i = 0; i < options_.repetitions; ++i) values.push_back(measure());
    if (is_first_) report_.add(which, median(values), unit);
  }

  PeerLink& link_;
  const Report& report_;
  bool is_first_;
  const Options& options_;
};

void measure_devices(PeerLink& link, const Measurement& measurement, const Options& options) {
  const DeviceMemory from(0, kRegionBytes), to(0, kRegionBytes);
  Region outgoing = link.open(from.data(), kRegionBytes, UCS_MEMORY_TYPE_CUDA);
  Region incoming = link.open(to.data(), kRegionBytes, UCS_MEMORY_TYPE_CUDA);
  link.use(outgoing, incoming);
  for (const std::size_t bytes : options.sizes) {
    measurement.latency("ucx tag device-device", bytes);
    for (const bool is_both_ways : {false, true}) measurement.bandwidth("ucx tag device-device", bytes, is_both_ways);
  }
  link.close(outgoing);
  link.close(incoming);
}

// The second leg of staging: pieces of 1 MiB between the hosts' page-locked memory. The others need no second process.
void measure_staging(PeerLink& link, const Measurement& measurement, const Report& report, bool is_first) {
  constexpr std::size_t kPiece = std::size_t{1} << 20, kBytes = 64 * kPiece;
  const PinnedMemory from(kBytes), to(kBytes);
  Region outgoing = link.open(from.data(), kBytes, UCS_MEMORY_TYPE_HOST);
  Region incoming = link.open(to.data(), kBytes, UCS_MEMORY_TYPE_HOST);
  link.use(outgoing, incoming);
  for (const bool is_both_ways : {false, true})
    measurement.bandwidth("staged: ucx tag host-host", kPiece, is_both_ways);
  link.close(outgoing);
  link.close(incoming);
  if (is_first) measure_host_copies(report);
  link.barrier();
}

void measure(int socket, bool is_first, const Options& options) {
  choose_device(options, is_first ? 0 : 1);
  const Report report(options.is_json);
  PeerLink link(socket, is_first, options.rendezvous);
  const Measurement measurement(link, report, is_first, options);
  measure_devices(link, measurement, options);
  if (options.has_staging) measure_staging(link, measurement, report, is_first);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Plain UCX between two processes with a CUDA device each: latency and bandwidth of tagged messages");
  app.add_option("--sizes", options.sizes, "Bytes of the messages")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, kRegionBytes));
  app.add_option("--devices", options.devices, "Of the two processes, when CUDA_VISIBLE_DEVICES does not name them")
      ->delimiter(',')
      ->expected(2);
  app.add_option("--rendezvous", options.rendezvous, "Bytes from which UCX fetches; auto: UCX chooses")
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_flag("--json", options.is_json, "One JSON object a line");
  app.add_flag("!--no-staging", options.has_staging, "Without the legs of staging through the hosts");
  CLI11_PARSE(app, argc, argv);

  return kaon::bench::run_in_two_processes("gpu_raw_ucx",
                                           [&](int socket, bool is_first) { measure(socket, is_first, options); });
}
