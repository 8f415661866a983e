// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/meeting_call.hpp"

#include "kaon/ampi_shim/collectives/meeting_reductions.hpp"
#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/messages/buffers.hpp"

namespace kaon::ampi {

bool is_thread_local(const Rank& rank, const Piece& piece) {
  return Outgoing{piece.at, piece.count, piece.type}.meets(rank.thread_locals());
}

namespace {

/// Whether `test` holds for the memory of one of the blocks.
template <class Test>
bool holds_for_one(const Blocks& blocks, int count, Test test) {
  if (count == 0) return false;
  if (blocks.are_equal()) return test(blocks.together(count));
  for (int i = 0; i < count; ++i)
    if (const Piece block = blocks[i]; block.count != 0 && test(block)) return true;
  return false;
}

}  // namespace

ReachableBlocks::ReachableBlocks(const Rank& rank, const Blocks& blocks, int count)
    : program_(blocks), reachable_(blocks), count_(count) {
  if (rank.thread_locals().empty()) return;
  if (holds_for_one(blocks, count, [&](const Piece& piece) { return is_thread_local(rank, piece); })) pack();
}

void ReachableBlocks::pack() {
  if (memory_ != nullptr) return;
  MPI_Aint end = 0;
  for (int i = 0; i < count_; ++i) {
    starts_.push_back(end);
    sizes_.push_back(packed_bytes(program_[i]));
    end += sizes_.back();
  }
  memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(end));
  reachable_ = Blocks(memory_.get(), Numbers<MPI_Count>(sizes_.data()), Numbers<MPI_Aint>(starts_.data()),
                      *Datatype::of(MPI_BYTE));
  for (int i = 0; i < count_; ++i) copy(program_[i], reachable_[i]);
}

void ReachableBlocks::copy_back() const {
  for (int i = 0; memory_ != nullptr && i < count_; ++i) copy(reachable_[i], program_[i]);
}

bool has_device_memory(Rank& rank, const Piece& piece) {
  return piece.count != 0 && is_in_device_memory(rank, piece.at, piece.count, piece.type);
}

bool has_device_memory(Rank& rank, const Blocks& blocks, int count) {
  if (!rank.scheduler().has_accelerator()) return false;
  return holds_for_one(blocks, count, [&](const Piece& piece) { return has_device_memory(rank, piece); });
}

Meeting* meeting_for(const Call& call, Rank& rank, Communicator& communicator, bool has_device_memory) {
  Meeting* const meeting = Meeting::of(rank, communicator);
  if (meeting == nullptr || !rank.scheduler().has_accelerator()) return meeting;
  int has = has_device_memory ? 1 : 0;
  const Piece answer{&has, 1, Datatype::of(MPI_INT)};
  ReductionShare share({MPI_IN_PLACE, answer, Operation::of(MPI_MAX)}, answer);
  meeting->attend({call.function, rank, communicator}, share);
  return has == 0 ? meeting : nullptr;
}

}  // namespace kaon::ampi
