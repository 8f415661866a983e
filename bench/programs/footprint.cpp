// SPDX-License-Identifier: Apache-2.0
// What PEs cost that do nothing: shared memory of each, and private memory for each peer that was sent one message and
// never again. Run it with many PEs in several processes.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/resident.hpp"

namespace footprint {

/// Bytes of a file in shared memory, which other processes may have mapped too.
struct SharedFile {
  std::uint64_t inode;
  std::uint64_t bytes;
};

/// Files of /dev/shm that this process has mapped.
std::vector<SharedFile> shared_files() {
  std::vector<SharedFile> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(" /dev/shm/") == std::string::npos) continue;
    std::istringstream words(line);
    std::uint64_t first = 0, last = 0, inode = 0;
    char dash = 0;
    std::string permissions, offset, device;
    words >> std::hex >> first >> dash >> last >> permissions >> offset >> device >> std::dec >> inode;
    files.push_back({inode, last - first});
  }
  return files;
}

class Observer : public kaon::Chare<Observer> {
 public:
  std::vector<SharedFile> shared() const { return shared_files(); }
  std::int64_t private_bytes() const { return kaon::bench::status_bytes("RssAnon"); }
  void hear() {}
  /// From this PE to those of other processes among `first`..`last`-1, one message each.
  int contact(int first, int last) {
    const int pes_per_process = array().shape().x / kaon::this_runtime().processes();
    int contacted = 0;
    for (int pe = first; pe < last; ++pe) {
      if (pe / pes_per_process == static_cast<int>(this->pe()) / pes_per_process) continue;
      array()[pe].send<&Observer::hear>();
      ++contacted;
    }
    return contacted;
  }
};

std::uint64_t bytes_of_all(std::vector<SharedFile> files) {
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.inode < b.inode; });
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (i == 0 || files[i].inode != files[i - 1].inode) bytes += files[i].bytes;
  return bytes;
}

/// Of the first PE's process, for each peer. A first part of the peers pays for what is needed once.
kaon::Task<double> bytes_of_a_peer(kaon::Runtime& runtime, kaon::Group<Observer> observers) {
  const int pes = static_cast<int>(runtime.pes()), warm = pes / 4;
  co_await observers[0].call<&Observer::contact>(0, warm);
  co_await runtime.quiescence();
  const std::int64_t before = co_await observers[0].call<&Observer::private_bytes>();
  const int contacted = co_await observers[0].call<&Observer::contact>(warm, pes);
  co_await runtime.quiescence();
  const std::int64_t after = co_await observers[0].call<&Observer::private_bytes>();
  co_return static_cast<double>(after - before) / contacted;
}

kaon::Task<int> footprint(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  kaon::bench::CommandLine app("Memory of PEs that do nothing");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const int pes = static_cast<int>(runtime.pes());
  if (runtime.processes() < 2 || pes < 8) {
    fmt::print(stderr, "footprint: needs eight PEs in two processes, as with kaonrun -n 4 footprint --pes 2\n");
    co_return 2;
  }
  const kaon::Group<Observer> observers = co_await runtime.create_group<Observer>();
  kaon::bench::print_measurement("peer", co_await bytes_of_a_peer(runtime, observers), "B");
  std::vector<SharedFile> all;
  for (int pe = 0; pe < pes; pe += pes / runtime.processes()) {
    const std::vector<SharedFile> files = co_await observers[pe].call<&Observer::shared>();
    all.insert(all.end(), files.begin(), files.end());
  }
  kaon::bench::print_measurement("shared memory", static_cast<double>(bytes_of_all(std::move(all))) / pes / 1e6, "MB");
  co_return 0;
}

}  // namespace footprint

int main(int argc, char** argv) { return kaon::run(argc, argv, footprint::footprint); }
