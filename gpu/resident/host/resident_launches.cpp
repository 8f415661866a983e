// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_launches.hpp"

#include "kaon/gpu/kernels/host_words.hpp"

namespace kaon::gpu {

ResidentLaunches::ResidentLaunches(Device& device, const ResidentOptions& options, const ResidentNeeds& needs,
                                   std::uint32_t serial, Launch launch)
    : device_(device), options_(options), launch_(launch), memory_(options, needs, serial, stream_) {}

void ResidentLaunches::launch() {
  ResidentView view = memory_.view();
  view.launch = launches_ + 1;
  view.has_own_processors = options_.blocks() <= static_cast<unsigned>(device_.card().description().processors) ? 1 : 0;
  launch_(stream_, {{options_.blocks()}, {options_.threads}}, view);
  ++launches_;
  launched_ = stream_.here();
  behind_launch_ = device_.stream_watcher().record(*stream_.here().stream);
}

bool ResidentLaunches::note_end() {
  if (!is_running() || HostWords::peek(&view().host->ended) != launches_) return false;
  ended_ = launches_;
  launched_.stream->end_open_ended(launched_.count);
  return true;
}

void ResidentLaunches::look_for_fault() { device_.driver().is_reached(behind_launch_.get()); }

}  // namespace kaon::gpu
