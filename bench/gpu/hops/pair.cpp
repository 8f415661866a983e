// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/hops/pair.hpp"

#include <sys/mman.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <new>
#include <vector>

namespace kaon::bench {
namespace {

constexpr std::chrono::seconds kPatience{30};

}  // namespace

SharedPage& make_shared_page() {
  void* const memory = mmap(nullptr, sizeof(SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory for both processes");
  return *new (memory) SharedPage;
}

void show_one_device(int rank) {
  std::vector<std::string> devices{"0", "1"};
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) devices = CLI::detail::split(visible, ',');
  if (devices.size() < 2) throw std::runtime_error("two devices are needed, and one is visible");
  setenv("CUDA_VISIBLE_DEVICES", devices[static_cast<std::size_t>(rank)].c_str(), 1);
  if (visible_devices() == 0) throw std::runtime_error("process " + std::to_string(rank) + " sees no CUDA device");
}

Pair::Pair(SharedPage& page, int rank, std::size_t bytes)
    : page_(page), rank_(rank), bytes_((bytes + 255) / 256 * 256), memory_(0, 2 * bytes_), stream_(0), event_(0) {
  check(cudaIpcGetMemHandle(&page.memory[rank], memory_.data()), "export device memory");
  barrier();
  check(cudaIpcOpenMemHandle(&peer_, page.memory[1 - rank], cudaIpcMemLazyEnablePeerAccess),
        "import the other process's device memory");
  check(cudaHostAlloc(reinterpret_cast<void**>(&shown_), sizeof *shown_, cudaHostAllocDefault), "pin memory");
  *shown_ = 0;
}

Pair::~Pair() {
  if (peer_ != nullptr) cudaIpcCloseMemHandle(peer_);
  cudaFreeHost(shown_);
}

template <class Condition>
void Pair::spin_until(const char* what, Condition condition) {
  constexpr int kBetweenLooks = 4096;  // at the clock
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (int spins = 0; !condition(); ++spins) {
    if (spins % kBetweenLooks != 0) continue;
    if (page_.failed.value.load(std::memory_order_relaxed) != 0) throw std::runtime_error("the other process failed");
    if (std::chrono::steady_clock::now() > deadline)
      throw std::runtime_error(std::string("half a minute went by in waiting for ") + what);
  }
}

void Pair::barrier() {
  const std::uint32_t mine = ++barriers_;
  page_.here[rank_].value.store(mine, std::memory_order_release);
  spin_until("the other process", [&] { return page_.here[1 - rank_].value.load(std::memory_order_acquire) >= mine; });
}

void Pair::wait_for_stream() {
  event_.record(stream_);
  spin_until("a stream", [&] {
    const cudaError_t status = cudaEventQuery(event_);
    if (status == cudaErrorNotReady) return false;
    check(status, "ask for an event");
    return true;
  });
}

void Pair::wait_until_shown(std::uint32_t value) {
  spin_until("a kernel", [&] { return std::atomic_ref(*shown_).load(std::memory_order_acquire) == value; });
}

void Pair::wait_for_turn(std::uint32_t hop) {
  spin_until("a hop", [&] { return page_.turn[rank_].value.load(std::memory_order_acquire) >= hop; });
}

void Pair::reset_turns() {
  barrier();
  page_.turn[rank_].value.store(0, std::memory_order_relaxed);
  check(cudaMemsetAsync(memory_.data(), 0, 2 * bytes_, stream_), "clear device memory");
  wait_for_stream();
  barrier();
}

}  // namespace kaon::bench
