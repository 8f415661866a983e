// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/program/ranks_of_thread.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <thread>
#include <utility>

namespace kaon::ampi {
namespace {

constexpr std::size_t kStackBytes = 128 * 1024;

int give_way() {
  auto* rank = static_cast<TestRank*>(ProgramImage::current()->owner());
  rank->scheduler = std::move(rank->scheduler).resume();
  return 0;
}

bool write(void* owner, int stream, const char* data, std::size_t bytes) {
  auto* rank = static_cast<TestRank*>(owner);
  (stream == 1 ? rank->output : rank->errors).append(data, bytes);
  return true;
}

std::size_t read(void* owner, char* into, std::size_t bytes) {
  std::string& input = static_cast<TestRank*>(owner)->input;
  const std::size_t taken = std::min(bytes, input.size());
  std::memcpy(into, input.data(), taken);
  input.erase(0, taken);
  return taken;
}

void abort(void* owner) {
  auto* rank = static_cast<TestRank*>(owner);
  rank->has_aborted = true;
  rank->image->leave(134);
}

void run_turn(TestRank& rank) {
  CaughtExceptions& of_thread = *RunningThread::here().exceptions;
  rank.image->switch_in();
  std::swap(of_thread, rank.exceptions);
  rank.fibre = std::move(rank.fibre).resume();
  std::swap(of_thread, rank.exceptions);
  rank.image->switch_out();
}

const Replacement kReplacements[] = {{"sched_yield", reinterpret_cast<void*>(&give_way)}};

}  // namespace

ProgramHooks RanksOfThread::hooks() {
  return {.write = write, .read = read, .abort = abort, .replacements = kReplacements};
}

void RanksOfThread::add(std::vector<std::string> arguments, std::string input) {
  auto rank = std::make_unique<TestRank>();
  rank->arguments = std::move(arguments);
  rank->input = std::move(input);
  rank->image = program_.load(rank.get());
  ranks_.push_back(std::move(rank));
}

void RanksOfThread::start(TestRank& rank) {
  boost::context::fixedsize_stack stack(kStackBytes);
  rank.fibre = boost::context::fiber(std::allocator_arg, stack, [&rank](boost::context::fiber&& scheduler) {
    rank.scheduler = std::move(scheduler);
    std::vector<const char*> arguments;
    for (const auto& each : rank.arguments) arguments.push_back(each.c_str());
    rank.code = rank.image->run_main(static_cast<int>(arguments.size()), arguments.data(), environ);
    rank.has_ended = true;
    return std::move(rank.scheduler);
  });
}

template <typename TakeTurn>
bool RanksOfThread::take_turns(const TakeTurn& take_turn) {
  bool any = false;
  for (auto& rank : ranks_) {
    if (rank->has_ended) continue;
    take_turn(*rank);
    any = true;
  }
  return any;
}

void RanksOfThread::run() {
  for (auto& rank : ranks_) start(*rank);
  while (take_turns(run_turn)) continue;
}

void RanksOfThread::run_in_new_threads() {
  for (auto& rank : ranks_) start(*rank);
  const auto in_thread = [](TestRank& rank) { std::thread([&rank] { run_turn(rank); }).join(); };
  while (take_turns(in_thread)) continue;
}

void RanksOfThread::unload() {
  for (auto& rank : ranks_) rank->image.reset();
}

std::string loaded_program(const std::string& name) { return std::string(KAON_LOADED_PROGRAMS) + "/" + name; }

}  // namespace kaon::ampi
