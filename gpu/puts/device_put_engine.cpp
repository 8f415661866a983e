// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/device_put_engine.hpp"

#include <fmt/format.h>

#include <exception>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

enum Line : std::size_t { kPosted, kTaken, kRunsAgain, kLines };

std::string text_of(PutFault fault) {
  switch (fault) {
    case PutFault::copy_does_not_end:
      return "a copy has not ended for 2 s: is the target's device in use by a debugger, or reset?";
    case PutFault::copy_does_not_start:
      return "the device has refused to start a copy for 2 s";
    default:
      return "the kernel that starts copies could not launch itself again";
  }
}

}  // namespace

DevicePutEngine::DevicePutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options,
                                 Stream& user)
    : PutEngine(device, puts, options.started_by),
      options_(options),
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
  kernel_.ring = {slots_.data(), word(kPosted), word(kTaken), word(kTaken), options.ring, count, sent_.data()};
  kernel_.starts = {copies_.data(), last_.data(), options.copies_of_each, count};
  kernel_.runs_again = word(kRunsAgain);
  kernel_.report = report_.span().data();
  report_[0] = {};
  prepare();
  user.wait(stream_.record());
  if (has_kernel()) launch();
}

const void* DevicePutEngine::kernel_of_words() const {
  if constexpr (kVendor == Backend::cuda) {
    if (!device_.card().is_emulated()) return words_of_copy_kernel();
  }
  return nullptr;
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
                                       .store = kernel_of_words()},
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

void DevicePutEngine::stop() {
  if (std::exchange(is_stopped_, true)) return;
  HostWords::store(&report_[0].stop, 1, Scope::system);
  // On a device a kernel that has started copies ends behind them; on the emulation this one waits for them.
  if (!has_kernel() && device_.card().is_emulated()) launch();
  keep_memory_until(launched_);
}

bool DevicePutEngine::look() {
  if (has_ended_) return false;
  look_for_fault();
  if (!is_stopped_) return false;
  const bool has_advanced = device_.driver().advance();  // of an emulation without threads
  if (behind_launch_ != nullptr && !device_.driver().is_reached(behind_launch_.get())) return has_advanced;
  has_ended_ = true;
  behind_launch_.reset();
  if (launched_.stream != nullptr) launched_.stream->end_open_ended(launched_.count);
  return true;
}

void DevicePutEngine::look_for_fault() {
  const auto fault = static_cast<PutFault>(HostWords::load(&report_[0].fault, Scope::system));
  if (fault == PutFault::none || std::exchange(has_failed_, true)) return;
  device_.pe().fail(std::make_exception_ptr(GpuError(fmt::format("puts of device {} stop at put {} of a list: {}",
                                                                 device_.number(), report_[0].put, text_of(fault)))));
}

}  // namespace kaon::gpu
