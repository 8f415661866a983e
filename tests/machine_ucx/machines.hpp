// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kaon/machine_ucx/machine.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"
#include "kaon/runtime/ports/process_contact.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

// What the "processes" of a test know of each other.
struct Exchange {
  std::vector<std::vector<std::byte>> blobs;
  int asked = 0;  // calls of get()
  Secret secret{};
  SharedFolder folder{};
  bool is_of_hosts = false;  // each process is on a host of its own
};

// One of several processes that are one in truth.
class MemoryBootstrap final : public Bootstrap {
 public:
  MemoryBootstrap(Exchange& exchange, int process)
      : exchange_(exchange), seat_(seat_on_one_host(process, static_cast<int>(exchange.blobs.size()))) {
    if (!exchange.is_of_hosts) return;
    seat_.host = process;
    seat_.hosts = seat_.processes;
  }
  const Seat& seat() const override { return seat_; }
  const Secret& secret() const override { return exchange_.secret; }
  SharedFolder shared_folder() const override { return exchange_.folder; }
  void put(std::uint64_t, std::vector<std::byte> blob) override { exchange_.blobs.at(own()) = std::move(blob); }
  void fence(std::chrono::milliseconds) override {}
  std::vector<std::byte> get(int process) override {
    ++exchange_.asked;
    return exchange_.blobs.at(static_cast<std::size_t>(process));
  }
  void arrive() override {}
  bool is_released() override { return true; }
  [[noreturn]] void abort(int, std::string_view text) override { throw std::runtime_error(std::string(text)); }

 private:
  std::size_t own() const { return static_cast<std::size_t>(seat_.process); }
  Exchange& exchange_;
  Seat seat_;
};

// Keeps a copy of each batch.
class Recorder final : public PortClient {
 public:
  struct Batch {
    Lane lane;
    std::vector<std::byte> bytes;
  };
  std::vector<Batch> batches;
  std::function<void()> on_batch = [] {};
  void batch_arrived(Lane lane, std::span<const std::byte> bytes) override {
    batches.push_back({lane, {bytes.begin(), bytes.end()}});
    on_batch();
  }
  void completed(Work& done) override;
};

/// The work that a transfer runs at its end; here nothing but a count.
struct Done : Work {
  int times = 0;
};

inline void Recorder::completed(Work& done) { ++static_cast<Done&>(done).times; }

inline std::vector<std::byte> pattern(std::size_t bytes, unsigned seed = 1) {
  std::vector<std::byte> made(bytes);
  for (std::size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>((i * 131 + i / 251 + seed) & 255);
  return made;
}

inline PayloadMemory memory(std::vector<std::byte>& bytes) { return {bytes.data(), bytes.size()}; }

// Processes with one PE each, connected by real UCX inside this one.
class Machines {
 public:
  explicit Machines(HostCarrier carrier, int processes = 2, const Secret& secret = {}, const std::string& folder = {})
      : Machines(std::vector<HostCarrier>(static_cast<std::size_t>(processes), carrier), secret, folder) {}
  // One process for each.
  explicit Machines(const std::vector<HostCarrier>& carriers, const Secret& secret = {}, const std::string& folder = {},
                    bool is_of_hosts = false)
      : roster_(hosts_of(carriers.size(), is_of_hosts), 1) {
    exchange.secret = secret;
    exchange.is_of_hosts = is_of_hosts;
    if (!folder.empty()) exchange.folder = {folder, std::uint64_t{1} << 30};
    exchange.blobs.resize(carriers.size());
    const MachineSettings settings{DeviceVendor::none, is_of_hosts ? "lo" : ""};
    for (const HostCarrier carrier : carriers) {
      const int p = static_cast<int>(ports.size());
      bootstraps_.push_back(std::make_unique<MemoryBootstrap>(exchange, p));
      machines_.push_back(std::make_unique<UcxMachine>(*bootstraps_.back(), roster_, carrier, settings));
      clients.push_back(std::make_unique<Recorder>());
      ports.push_back(machines_.back()->open_port(static_cast<PeId>(p), *clients.back()));
      bootstraps_.back()->put(0, encode_process_contact({machines_.back()->contact(), {}}));
    }
  }
  ~Machines() { ports.clear(); }

  Port& port(std::size_t process) { return *ports.at(process); }
  Recorder& client(std::size_t process) { return *clients.at(process); }

  // Progresses all ports until `condition` holds; fails the test when it does not come true.
  template <class Condition>
  void until(Condition condition) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < limit) {
      for (auto& each : ports) each->progress();
    }
    REQUIRE(condition());
  }

  // Starts a send and waits until its memory is free.
  void send(std::size_t from, PeId to, Lane lane, std::span<const std::byte> bytes) {
    Done done;
    if (port(from).send_batch(to, lane, bytes, done)) return;
    until([&] { return done.times == 1; });
  }

  Exchange exchange;
  std::vector<std::unique_ptr<Recorder>> clients;

 private:
  static std::vector<int> hosts_of(std::size_t processes, bool is_of_hosts) {
    std::vector<int> hosts(processes, 0);
    if (is_of_hosts) std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
  }

  Roster roster_;
  std::vector<std::unique_ptr<MemoryBootstrap>> bootstraps_;
  std::vector<std::unique_ptr<UcxMachine>> machines_;

 public:
  std::vector<std::unique_ptr<Port>> ports;  // end before their machines
};

}  // namespace kaon::testing
