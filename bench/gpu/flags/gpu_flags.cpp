// SPDX-License-Identifier: Apache-2.0
// By hand: a word in pinned memory that the host raises and a kernel answers, and words in a device's memory that two
// blocks of a kernel raise for each other.
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "bench/gpu/flags/command_kernels.hpp"
#include "bench/gpu/flags/flag_kernels.hpp"
#include "bench/gpu/floors/cuda.hpp"
#include "bench/gpu/floors/report.hpp"

namespace {

using namespace kaon::bench;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kApart = 32;  // words, so that each has a line of its own
constexpr std::size_t kBytes = 4 * kApart * sizeof(std::uint32_t);

struct Pinned {
  Pinned() { check(cudaHostAlloc(&words, kBytes, cudaHostAllocMapped), "allocate pinned memory"); }
  ~Pinned() { cudaFreeHost(words); }
  std::atomic_ref<std::uint32_t> operator[](std::size_t i) const { return std::atomic_ref(words[i * kApart]); }
  std::uint32_t* words = nullptr;
};

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// Microseconds from a raise by the host until it sees the answer, in the second line; the first round waits for the
// launch and does not count.
template <class Raise>
double us_of_rounds(const Stream& stream, const Pinned& pinned, std::uint32_t rounds, Raise raise) {
  check(cudaGetLastError(), "launch a kernel");
  auto start = Clock::now();
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (round == 2) start = Clock::now();
    raise(round);
    const auto asked = Clock::now();
    while (pinned[1].load(std::memory_order_acquire) != round)
      if (us_since(asked) > 2e6) throw std::runtime_error("the kernel does not answer");
  }
  const double us = us_since(start) / (rounds - 1);
  stream.wait();
  return us;
}

double us_of_call(const Stream& stream, Looks looks, std::uint32_t rounds) {
  const Pinned pinned;
  for (const std::size_t i : {0, 1}) pinned[i].store(0);
  launch_answer(looks, pinned.words, pinned.words + kApart, rounds, stream);
  return us_of_rounds(stream, pinned, rounds,
                      [&](std::uint32_t round) { pinned[0].store(round, std::memory_order_release); });
}

// From one block to the other and back.
double us_of_turns(const Stream& stream, bool is_for_system, std::uint32_t rounds) {
  const DeviceMemory memory(0, kBytes);
  auto* const words = static_cast<std::uint32_t*>(memory.data());
  check(cudaMemsetAsync(words, 0, kBytes, stream), "clear words");
  stream.wait();
  const auto start = Clock::now();
  launch_turns(is_for_system, words, words + kApart, rounds, stream);
  check(cudaGetLastError(), "launch a kernel");
  stream.wait();
  return us_since(start) / rounds;
}

// A command of 16 words in line 0, whose fourth, eighth, ... is the round; the answer is in line 1, and lines 2 and 3
// are what the kernel could write to.
double us_of_command(const Stream& stream, std::uint32_t rounds) {
  const Pinned pinned;
  for (std::size_t i = 0; i < kBytes / sizeof(std::uint32_t); ++i) pinned.words[i] = 0;
  launch_serve(pinned.words, pinned.words + kApart, pinned.words + 2 * kApart, rounds, stream);
  return us_of_rounds(stream, pinned, rounds, [&](std::uint32_t round) {
    for (std::size_t quarter = 0; quarter < 4; ++quarter)
      std::atomic_ref(pinned.words[4 * quarter + 3]).store(round, std::memory_order_release);
  });
}

// From one block to the other: half of a round.
double us_of_passed_command(const Stream& stream, std::uint32_t rounds) {
  const DeviceMemory memory(0, kBytes);
  auto* const words = static_cast<std::uint32_t*>(memory.data());
  check(cudaMemsetAsync(words, 0, kBytes, stream), "clear words");
  stream.wait();
  const auto start = Clock::now();
  launch_pass(words, words + 2 * kApart, rounds, stream);
  check(cudaGetLastError(), "launch a kernel");
  stream.wait();
  return us_since(start) / rounds / 2;
}

// The same between two devices.
double us_of_command_to_peer(std::uint32_t rounds) {
  connect_peers(2);
  const DeviceMemory slots[] = {{0, kBytes}, {1, kBytes}};
  const Stream streams[] = {Stream(0), Stream(1)};
  for (int self = 0; self < 2; ++self) {
    check(cudaSetDevice(self), "use a device");
    check(cudaMemsetAsync(slots[self].data(), 0, kBytes, streams[self]), "clear slots");
    streams[self].wait();
  }
  auto start = Clock::now();
  for (const int self : {1, 0}) {  // the first one sends the first
    check(cudaSetDevice(self), "use a device");
    start = Clock::now();
    auto* const own = static_cast<std::uint32_t*>(slots[self].data());
    launch_pass_to_peer(self == 0, own, slots[1 - self].data(), own + 2 * kApart, rounds, streams[self]);
    check(cudaGetLastError(), "launch a kernel");
  }
  for (const Stream& stream : streams) stream.wait();
  return us_since(start) / rounds / 2;
}

// Millions a second, of as many warps that send one to each other at the same time.
double rate_of_warps(const Stream& stream, unsigned blocks, unsigned warps, std::uint32_t rounds) {
  constexpr std::size_t kSlotBytes = 64, kSinkBytes = 16;
  const std::size_t count = std::size_t{blocks} * warps, slot_bytes = 2 * count * kSlotBytes;
  const DeviceMemory memory(0, slot_bytes + count * kSinkBytes);
  auto* const slots = static_cast<char*>(memory.data());
  check(cudaMemsetAsync(slots, 0, slot_bytes, stream), "clear slots");
  stream.wait();
  const auto start = Clock::now();
  launch_pass_by_warps(blocks, warps, slots, reinterpret_cast<std::uint32_t*>(slots + slot_bytes), rounds, stream);
  check(cudaGetLastError(), "launch a kernel");
  stream.wait();
  return static_cast<double>(count) * rounds / us_since(start);
}

void measure(std::uint32_t rounds, bool is_json) {
  check(cudaSetDevice(0), "use a device");
  const Stream stream(0);
  const Report report(is_json);
  const std::string called = "flag by hand from host to kernel and back";
  const std::string taken = "flag by hand from block to block and back";
  report.add(called, us_of_call(stream, Looks::acquiring, rounds), "us");
  report.add(called + ", fence", us_of_call(stream, Looks::relaxed_fence, rounds), "us");
  report.add(taken, us_of_turns(stream, true, rounds), "us");
  report.add(taken + ", device alone", us_of_turns(stream, false, rounds), "us");
  report.add("command by hand from host to kernel and back", us_of_command(stream, rounds), "us");
  report.add("command by hand from block to block", us_of_passed_command(stream, rounds), "us");
  for (const unsigned warps : {4, 8, 16})
    report.add("commands by hand, 32 blocks of " + std::to_string(warps) + " warps",
               rate_of_warps(stream, 32, warps, rounds), "M/s");
  if (visible_devices() > 1) report.add("command by hand from device to device", us_of_command_to_peer(rounds), "us");
}

}  // namespace

int main(int argc, char** argv) {
  std::uint32_t rounds = 10'000;
  bool is_json = false;
  CLI::App app("Times of words between a host and a kernel, and between blocks of a kernel, by hand");
  app.add_option("--rounds", rounds)->check(CLI::Range(2, 10'000'000))->capture_default_str();
  app.add_flag("--json", is_json, "One JSON object a line");
  CLI11_PARSE(app, argc, argv);
  try {
    measure(rounds, is_json);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_flags: %s\n", error.what());
    return 1;
  }
}
