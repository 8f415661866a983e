// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "kaon/gpu/flag_state.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

FlagState::FlagState(Stream& stream)
    : memory_(StreamMemory::Kind::pinned, sizeof(std::uint32_t), stream),
      watch_(FlagWatch::of(stream.device())),
      device_(stream.device()) {
  *word().word = 0;
  watch_->add_flag();
}

// A stream that was let go cannot be waited for, so the program cannot know when it has looked: the word, which others
// would write to, goes back behind it.
FlagState::~FlagState() {
  watch_->remove_flag();
  if (this_pe_or_null() != &device_.pe()) return;
  try {
    for (const Position& wait : waits_) {
      if (wait.is_known_reached()) continue;
      Stream behind(device_);
      behind.wait(wait);
      memory_.move_to(behind);
    }
  } catch (...) {  // a fault of the device
    device_.pe().fail(std::current_exception());
  }
}

void FlagState::note_wait(Position behind) {
  const auto known =
      std::find_if(waits_.begin(), waits_.end(), [&](const Position& wait) { return wait.stream == behind.stream; });
  if (known != waits_.end())
    *known = behind;
  else
    waits_.push_back(behind);
}

void FlagState::require_own_pe() const {
  if (this_pe_or_null() != &device_.pe())
    throw UsageError(
        fmt::format("tasks and streams wait for a flag on the PE that has made it, which is PE {}", device_.pe().id()));
}

void FlagState::raise(std::uint32_t by) const {
  std::atomic_ref<std::uint32_t>(*word().word).fetch_add(by, std::memory_order_release);
}

void FlagState::arrived() noexcept {
  raise(1);
  device_.pe().exchange().transfers().add_raised();
  release();
}

void FlagState::release() noexcept {
  if (--holders_ == 0) delete this;
}

Flag::Flag(Stream& stream) : state_(new FlagState(stream)) {}
Flag::Flag(Flag&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
Flag& Flag::operator=(Flag&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
Flag::~Flag() {
  if (state_ != nullptr) state_->release();
}

FlagWord Flag::word() const { return state_->word(); }
std::uint32_t Flag::value() const { return value_of(word()); }
void Flag::raise(std::uint32_t by) const { state_->raise(by); }
Awaitable<FlagWait> Flag::reached(std::uint32_t k) const {
  state_->require_own_pe();
  return Awaitable<FlagWait>(state_->watch(), word(), k);
}
ArrivalFlag& Flag::arrival() const { return *state_; }

bool Flag::wait_for(std::uint32_t k, std::chrono::nanoseconds time) const {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!FlagWord::is_reached(value(), k)) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::yield();
  }
  return true;
}

std::string FlagWait::describe() const {
  return "for a flag to reach " + std::to_string(awaited_.k) + ", which is " + std::to_string(value_of(awaited_.flag));
}

}  // namespace kaon::gpu
