// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/device_put_engine.hpp"

#include <algorithm>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

enum Line : std::size_t { kPosted, kTaken, kRunsAgain, kLines };

/// The kernel that stores the words of a copy; nullptr on the emulation.
const void* words_kernel(Device& device) {
  if constexpr (kVendor == Backend::cuda) {
    if (!device.card().is_emulated()) return words_of_copy_kernel();
  }
  return nullptr;
}

}  // namespace

DevicePutEngine::DevicePutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options,
                                 Stream& user, CopyRoom room)
    : PutEngine(device, puts, options.started_by),
      options_(options),
      room_(std::move(room)),
      stream_(device),
      copies_(puts.size() * options.copies_of_each, stream_),
      last_(puts.size(), stream_),
      sent_(options.tells_sent ? puts.size() : 0, stream_),
      slots_(options.ring, stream_),
      words_(kLines * kWordsOfLine, stream_),
      report_(1, stream_),
      prepared_(device.driver()) {
  const auto word = [this](Line line) { return words_.data() + line * kWordsOfLine; };
  const auto count = static_cast<std::uint32_t>(puts.size());
  report_[0] = {};
  kernel_.ring = {.slots = slots_.data(),
                  .posted = word(kPosted),
                  .taken = word(kTaken),
                  .far_taken = word(kTaken),
                  .slot_count = options.ring,
                  .puts = count,
                  .fault = &report_[0].fault,
                  .sent = sent_.data()};
  kernel_.starts = {copies_.data(), last_.data(), options.copies_of_each, count};
  kernel_.runs_again = word(kRunsAgain);
  kernel_.report = report_.span().data();
  prepare();
  wait_for_flags(*stream_.here().stream);
  user.wait(stream_.record());
  if (has_kernel()) launch();
}

// All of a list are alike, but for those without data.
CopyRoom DevicePutEngine::room_for(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options,
                                   Stream& user) {
  const auto largest = std::max_element(puts.begin(), puts.end(),
                                        [](const PutPlaces& a, const PutPlaces& b) { return a.bytes < b.bytes; });
  const StartedCopy like{
      .to = largest->to, .from = largest->from, .bytes = largest->bytes, .store = words_kernel(device)};
  return CopyRoom::take(device, puts.size() * options.copies_of_each + 1, like, user.here().stream->native);
}

void DevicePutEngine::prepare() {
  stream_.fill(last_.span(), 0);
  stream_.fill(sent_.span(), 0);
  stream_.fill(slots_.span(), 0);
  stream_.fill(words_.span(), 0);
  const NativeStream native = stream_.here().stream->native;
  const Pinned<PutCopy> copies(copies_.size(), stream_);
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const std::size_t number = i / options_.copies_of_each;
    const PutPlaces& put = puts_[number];
    PutCopy* const there = copies_.data() + i;  // whose members are addressed, and not read
    prepared_.all.push_back(
        device_.driver().prepare_copy(device_.number(),
                                      {.to = put.to,
                                       .from = put.from,
                                       .bytes = put.bytes,
                                       .flag = put.flag,
                                       .sent = options_.tells_sent ? sent_.data() + number : nullptr,
                                       .value = &there->value,
                                       .ended = &there->ended,
                                       .use = &there->use,
                                       .store = words_kernel(device_)},
                                      native));
    copies[i] = {.native = prepared_.all.back()};
  }
  stream_.copy(copies_.span(), copies);
}

void DevicePutEngine::launch() {
  StreamState& own = *stream_.here().stream;
  device_.card().free_gate().announce(own);
  if (device_.card().is_emulated()) {
    launch_put_engine_on_host(kernel_, own.native);
  } else if constexpr (kVendor == Backend::cuda) {
    prepared_.all.push_back(prepare_put_engine(kernel_, own.native));
    launch_put_engine(prepared_.all.back(), own.native);
  }
  ++own.submitted;
  launched_ = stream_.here();
  behind_launch_ = device_.stream_watcher().record(own);
}

void DevicePutEngine::finish() {
  HostWords::store(&report_[0].stop, 1, Scope::system);
  // On a device a kernel that has started copies ends behind them; on the emulation this one waits for them.
  if (!has_kernel() && device_.card().is_emulated()) launch();
  release_behind(launched_);
}

// As memory that goes back to the driver, this waits for all kernels of the device.
bool DevicePutEngine::destroy_copies() {
  constexpr unsigned kLooksBetween = 256;
  if (looks_++ % kLooksBetween != 0) return false;
  const FreeGate::Pass pass(&device_.card().free_gate(), device_.number());
  if (!pass) return false;
  prepared_.destroy();
  return true;
}

bool DevicePutEngine::look() {
  if (has_ended_) return destroy_copies();
  look_for_fault(report_[0]);
  if (!is_ending_) return false;
  const bool has_advanced = device_.driver().advance();  // of an emulation without threads
  end_behind_starts();
  if (!is_stopped_) return has_advanced;
  if (behind_launch_ != nullptr && !device_.driver().is_reached(behind_launch_.get())) return has_advanced;
  has_ended_ = true;
  behind_launch_.reset();
  if (launched_.stream != nullptr) launched_.stream->end_open_ended(launched_.count);
  destroy_copies();
  return true;
}

}  // namespace kaon::gpu
