// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/peers_bootstrap.hpp"

#include <atomic>
#include <barrier>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::peers_bootstrap {

using runtime::Peers;

/// Processes that are threads, with a gather of their own.
class Threads {
 public:
  explicit Threads(int count) : count_(count), meeting_(count), given_(static_cast<std::size_t>(count)) {}

  void run(const std::function<void(Peers)>& process) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count_; ++i) threads.emplace_back([&, i] { process(peers(i)); });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  Peers peers(int process) {
    Peers peers;
    peers.process = process;
    peers.processes = count_;
    peers.gather = [this, process](const void* own, void* all, std::size_t bytes) {
      given_[static_cast<std::size_t>(process)] = own;
      meeting_.arrive_and_wait();
      for (std::size_t i = 0; i < given_.size(); ++i)
        if (bytes > 0) std::memcpy(static_cast<std::byte*>(all) + i * bytes, given_[i], bytes);
      meeting_.arrive_and_wait();
    };
    peers.enter_barrier = [this] { ++entered_; };
    peers.is_barrier_over = [this] { return entered_ == count_; };
    return peers;
  }

  int count_;
  std::barrier<> meeting_;
  std::vector<const void*> given_;
  std::atomic<int> entered_ = 0;
};

std::vector<std::byte> contact_of(int process) { return std::vector<std::byte>(static_cast<std::size_t>(process) + 1); }

TEST_CASE("processes that lend their own ways have seats, a secret, a folder and contacts", "[launch][peers]") {
  constexpr int kCount = 3;
  Threads threads(kCount);
  std::vector<std::unique_ptr<launch::PeersBootstrap>> joined(kCount);
  threads.run([&](const Peers& peers) {
    auto& bootstrap = joined[static_cast<std::size_t>(peers.process)];
    bootstrap = std::make_unique<launch::PeersBootstrap>(peers);
    bootstrap->put(7, contact_of(peers.process));
    bootstrap->fence(launch::PeersBootstrap::kLauncherDecides);
  });
  for (int i = 0; i < kCount; ++i) {
    launch::PeersBootstrap& one = *joined[static_cast<std::size_t>(i)];
    CHECK(one.seat().process == i);
    CHECK(one.seat().processes == kCount);
    CHECK(one.seat().hosts == 1);
    CHECK(one.seat().processes_on_host == kCount);
    CHECK(one.secret() == joined[0]->secret());
    CHECK(one.secret() != Secret{});
    CHECK(one.shared_folder().path == joined[0]->shared_folder().path);
    for (int other = 0; other < kCount; ++other) CHECK(one.get(other) == contact_of(other));
    CHECK_THROWS_AS(one.get(kCount), runtime::UsageError);
  }
  CHECK(std::filesystem::exists(joined[0]->shared_folder().path));
  const std::string folder = joined[0]->shared_folder().path;
  joined.clear();
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("a user's signal ends no process that lends its own ways", "[launch][peers]") {
  const auto before = std::signal(SIGUSR1, SIG_DFL);
  Threads(1).run([](const Peers& own) { make_bootstrap(own); });
  CHECK(std::signal(SIGUSR1, before) == SIG_IGN);
}

TEST_CASE("who has arrived is released when all have entered the barrier that was lent", "[launch][peers]") {
  Threads threads(2);
  std::vector<std::unique_ptr<launch::PeersBootstrap>> joined(2);
  threads.run([&](const Peers& peers) {
    joined[static_cast<std::size_t>(peers.process)] = std::make_unique<launch::PeersBootstrap>(peers);
  });
  CHECK_FALSE(joined[0]->is_released());  // it has not arrived
  joined[0]->arrive();
  CHECK_FALSE(joined[0]->is_released());
  CHECK_FALSE(joined[1]->is_released());
  joined[1]->arrive();
  CHECK(joined[1]->is_released());
  CHECK(joined[0]->is_released());
}

TEST_CASE("different programs among processes that lend their ways are refused", "[launch][peers][bad input]") {
  std::atomic<int> refused = 0;
  Threads(2).run([&](const Peers& peers) {
    launch::PeersBootstrap bootstrap(peers);
    bootstrap.put(static_cast<std::uint64_t>(peers.process), {});
    try {
      bootstrap.fence(launch::PeersBootstrap::kLauncherDecides);
    } catch (const runtime::UsageError&) {
      ++refused;
    }
  });
  CHECK(refused == 2);
}

TEST_CASE("peers that make no sense are refused", "[launch][peers][bad input]") {
  CHECK_THROWS_AS(launch::PeersBootstrap(Peers{}), runtime::UsageError);
  Threads(1).run([](Peers peers) {
    peers.process = 1;  // MPI_UNDEFINED, say
    CHECK_THROWS_AS(launch::PeersBootstrap(peers), runtime::UsageError);
  });
}

}  // namespace kaon::testing::peers_bootstrap
