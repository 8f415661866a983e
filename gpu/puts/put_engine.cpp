// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/put_engine.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

std::string text_of(PutFault fault, std::uint32_t put) {
  switch (fault) {
    case PutFault::copy_does_not_end:
      return fmt::format(
          "at put {} of a list: a copy has not ended for 2 s: is the target's device in use by a "
          "debugger, or reset?",
          put);
    case PutFault::copy_does_not_start:
      return fmt::format("at put {} of a list: the device has refused to start a copy for 2 s", put);
    case PutFault::no_room:
      return "a kernel found no room in the ring of a list for 2 s: let entries of this PE run shorter, if the host "
             "starts the copies, or start fewer puts at a time";
    default:
      return "the kernel that starts copies could not launch itself again";
  }
}

}  // namespace

bool RaisedFlags::is_taken(const std::uint32_t* flag) const {
  const auto found = owners_.find(flag);
  return found != owners_.end() && !found->second.has_ended;
}

void RaisedFlags::release(const std::uint32_t* flag, const Position& end) noexcept {
  if (const auto found = owners_.find(flag); found != owners_.end()) found->second = {true, end};
}

Position RaisedFlags::free_at(const std::uint32_t* flag) const {
  const auto found = owners_.find(flag);
  return found != owners_.end() ? found->second.end : Position{};
}

void PutEngine::wait_for_flags(StreamState& stream) {
  for (const PutPlaces& put : puts_)
    if (put.flag != nullptr) device_.order().wait(stream, raised_->free_at(put.flag));
}

void PutEngine::note_start(StreamState& stream) { starts_[&stream] = device_.stream_watcher().record(stream); }

bool PutEngine::have_starts_ended() {
  std::erase_if(starts_, [this](const auto& start) { return device_.driver().is_reached(start.second.get()); });
  return starts_.empty() || device_.pe().is_stopped();
}

void PutEngine::stop() {
  is_ending_ = true;
  end_behind_starts();
}

void PutEngine::end_behind_starts() noexcept {
  if (!is_ending_ || is_stopped_) return;
  try {
    if (!have_starts_ended()) return;
    is_stopped_ = true;
    finish();
  } catch (...) {  // a fault of the device
    device_.pe().fail(std::current_exception());
  }
}

// The number of the put is read behind the fault, as it is written before it.
void PutEngine::look_for_fault(const PutReport& report) {
  const auto found = static_cast<PutFault>(HostWords::load(&report.fault, Scope::system));
  if (found == PutFault::none || found == PutFault::engine_has_ended || std::exchange(has_failed_, true)) return;
  device_.pe().fail(std::make_exception_ptr(
      GpuError(fmt::format("puts of device {} stop: {}", device_.number(), text_of(found, report.put)))));
}

PutEngine::PutEngine(Device& device, std::span<const PutPlaces> puts, PutsStartedBy started_by)
    : device_(device),
      puts_(puts.begin(), puts.end()),
      started_by_(started_by),
      raised_(device.shared<RaisedFlags>()) {}

void PutEngine::claim_flags() {
  for (const PutPlaces& put : puts_)
    if (put.flag != nullptr) raised_->take(put.flag);
}

void PutEngine::release_behind(const Position& end) noexcept {
  for (const PutPlaces& put : puts_)
    if (put.flag != nullptr) raised_->release(put.flag, end);
  if (end.stream == nullptr) return;
  for (const PutPlaces& put : puts_) {
    keep_block_until(end, put.from, put.bytes);
    keep_block_until(end, put.to, put.bytes);
    if (put.flag != nullptr) keep_block_until(end, put.flag, sizeof *put.flag);
  }
}

void PutEngine::keep_block_until(const Position& end, const void* memory, std::size_t bytes) noexcept {
  const Region* const region = device_.regions().find(memory);
  if (region == nullptr || region->arena == nullptr) return;
  if (Block* const block = device_.memory().pool().find_own(*region, memory, bytes))
    device_.memory().note_landing(*block, end);
}

}  // namespace kaon::gpu
