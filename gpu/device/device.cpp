// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

Device::Device(Card& card, Pe& pe)
    : card_(card),
      driver_(card.driver()),
      pe_(pe),
      number_(card.number()),
      regions_(card.regions()),
      memory_({card, *this, pe, stream_watcher_, streams_, order_, held_}),
      stream_watcher_(driver_, *this, number_, pe),
      streams_(card, *this, stream_watcher_),
      order_(card, *this, pe, stream_watcher_, streams_, held_),
      held_(pe, driver_, stream_watcher_, memory_, load_meter_),
      load_meter_(driver_, number_, pe, memory_.pool()) {}

Device::~Device() {
  drain();
  {
    const CurrentPe current(pe_);
    watches_.clear();  // what they have goes back in the order of streams
  }
  drain();
}

// A kernel that never ends would keep the process for ever: the vendor's library, which waits for it before it gives
// memory back.
void Device::drain() noexcept {
  const CurrentPe current(pe_);
  try {
    const std::unique_ptr<Drain> drain = begin_drain();
    while (!drain->is_done() || (watches_.is_running() && !drain->is_late())) {  // one of another PE, perhaps
      watches_.look();                                                           // a kernel may wait until it is heard
      std::this_thread::yield();
    }
  } catch (const DeviceHangs& error) {
    std::fprintf(stderr, "kaon: %s\n", error.what());
    std::fflush(nullptr);
    _exit(exit_code(error));
  } catch (...) {  // a fault of the device: reported where it was met first
  }
}

std::unique_ptr<Drain> Device::begin_drain() {
  held_.give_all();
  watches_.stop();
  auto drain = std::make_unique<Drain>(driver_, number_, pe_.process().options().device_timeout_s);
  const std::vector<StreamState*>& streams = streams_.all();
  for (std::size_t i = 0; i < streams.size(); ++i)  // by index: follow() may add one
    if (StreamState* stream = streams[i]; stream->is_foreign)
      order_.follow({stream, stream->submitted});  // it may be gone
  for (const StreamState* stream : streams)
    if (!stream->is_foreign) drain->add(stream->native);
  for (NativeStream wake : stream_watcher_.wakes()) drain->add(wake);  // last: they wait for the others
  return drain;
}

bool Device::is_over() const {
  return !pe_.is_stopped() || (drain_ != nullptr && drain_->has_ended() && !watches_.is_running());
}

void Device::reach(int peer) {
  const auto place = static_cast<std::size_t>(peer);
  if (peer == number_ || (place < peers_.size() && peers_[place])) return;
  if (peers_.size() <= place) peers_.resize(place + 1);
  peers_[place] = true;
  driver_.enable_peer(number_, peer);
}

// --- the turns of the PE

bool Device::look_at_streams() {
  try {
    return stream_watcher_.look();
  } catch (const GpuError& error) {
    watches_.name_fault(error);
    throw;
  }
}

bool Device::look() {
  driver_.make_current(number_);  // libraries of the program may have changed it
  bool has_reached = look_at_streams();
  has_reached |= watches_.look();
  if (pe_.is_stopped()) [[unlikely]] {
    if (drain_ == nullptr) drain_ = begin_drain();
    drain_->is_done();
  }
  return has_reached;
}

}  // namespace kaon::gpu
