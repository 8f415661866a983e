// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/streams/program_stream.hpp"

#include <bit>
#include <string>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/streams/enqueued_transfer.hpp"

namespace kaon::ampi {

void StreamHold::transfer_has_ended() {
  if (--missing_ == 0) stream_.release_ended();
}

ProgramStream::ProgramStream(Rank& rank, gpu::NativeStream native)
    : rank_(rank), stream_(new gpu::Stream(gpu::Stream::adopt(native))), flag_(*stream_) {
  run = [](Work& self, Pe&) { static_cast<ProgramStream&>(self).begin_reached(); };
}

ProgramStream::~ProgramStream() { close(); }

void ProgramStream::close() {
  if (wait_) wait_->give_up();
  wait_.reset();
  for (const Scratch& each : scratch_) ProgramDevice::of(rank_).give_scratch(each.memory, each.bytes);
  scratch_.clear();
  flag_.reset();
  stream_.reset();
}

void ProgramStream::begin_behind(EnqueuedTransfer& transfer) {
  transfer.position = stream_->record();
  (last_ != nullptr ? last_->next : first_) = &transfer;
  last_ = &transfer;
  if (first_ == &transfer && awaits_first()) begin_reached();
}

// True: its place is reached.
bool ProgramStream::awaits_first() {
  return wait_.emplace(static_cast<Work&>(*this), stream_->device(), first_->position).await();
}

void ProgramStream::begin_reached() {
  do {
    wait_.reset();
    EnqueuedTransfer& transfer = *first_;
    first_ = transfer.next;
    if (first_ == nullptr) last_ = nullptr;
    transfer.begin_now();
  } while (first_ != nullptr && awaits_first());
}

StreamHold& ProgramStream::hold(std::size_t transfers) {
  auto& hold = Activity::make<StreamHold>(rank_.scheduler().activities(), rank_.scheduler().pool(), *this, transfers);
  (last_hold_ != nullptr ? last_hold_->next_ : first_hold_) = &hold;
  last_hold_ = &hold;
  stream_->wait(*flag_, ++holds_);
  return hold;
}

// A flag only grows: a hold that has ended before an earlier one waits for that.
void ProgramStream::release_ended() {
  while (first_hold_ != nullptr && first_hold_->missing_ == 0) {
    StreamHold& ended = *std::exchange(first_hold_, first_hold_->next_);
    if (first_hold_ == nullptr) last_hold_ = nullptr;
    ended.end();
    flag_->raise();
  }
}

void ProgramStream::synchronize() {
  if (!has_device()) return;
  current_strand().wait(gpu::PositionWait(stream_->device(), stream_->here()));
  while (first_ != nullptr) current_strand().yield();  // it is reached, and begins in one of the next turns
}

std::byte* ProgramStream::scratch(std::size_t bytes) {
  if (scratch_.empty() || scratch_.back().bytes < bytes) {
    const std::size_t room = std::bit_ceil(bytes);
    std::byte* const memory = ProgramDevice::of(rank_).take_scratch(room);
    if (memory == nullptr)
      throw MpiFault(MPI_ERR_NO_MEM, "device " + std::to_string(stream_->device().number()) + " has no " +
                                         std::to_string(room) + " bytes left for an enqueued reduction");
    scratch_.push_back({memory, room});
  }
  return scratch_.back().memory;
}

void ProgramStream::note_failure(int error, const MPI_Status& status) {
  if (!failure_) failure_ = {error, status};
}

}  // namespace kaon::ampi
