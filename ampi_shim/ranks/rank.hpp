// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "kaon/ampi_shim/ranks/output.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"
#include "kaon/chares/chare.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::ampi {

class ProgramImage;
class World;

/// An MPI rank: a chare whose program runs on a stack of its own, in turns with the other ranks of its PE. All that the
/// shim knows of a rank hangs off its object, and only its PE's thread touches that.
class Rank final : public Chare<Rank>, public Root {
 public:
  Rank();
  ~Rank();

  /// In the run, as in MPI_COMM_WORLD.
  int number() const { return number_; }
  World& world() const { return world_; }
  Pe& scheduler() const { return pe_; }
  /// The array of all ranks, as messages name it.
  CollectionId collection() const { return array().id(); }
  /// The rank of this number, when it lives on this PE; nullptr: it does not.
  Rank* neighbour(int number) const;
  /// The PE of a rank.
  PeId pe_of(int number) const;
  /// The thread-local variables of its program: see ProgramImage::thread_locals.
  std::span<const std::byte> thread_locals() const { return thread_locals_; }

  /// An entry: its program begins.
  void start();
  bool has_ended() const { return has_ended_; }
  /// The strand that runs on this thread is its program's, and not one beside it.
  bool runs_program() const { return program_.get() == current_strand_or_null(); }

  /// The part of a layer above in this rank; made at the first use.
  template <class Part>
  Part& part() {
    std::unique_ptr<RankPart>& slot = parts_[static_cast<std::size_t>(Part::kSlot)];
    if (slot == nullptr) [[unlikely]]
      slot = std::make_unique<Part>(*this);
    return static_cast<Part&>(*slot);
  }

  /// One more strand of it, which begins behind what is ready now and goes when its body has returned.
  void start_strand(std::function<void()> body);

  /// Ends the whole run with this code. `what` is printed after the name of this rank: "has called MPI_Abort".
  [[noreturn]] void abort(int code, std::string_view what);

  /// How far its program has come with MPI; the functions of MPI move it on.
  enum class Stage : std::uint8_t { before_init, running, finalized };
  Stage stage() const { return stage_.load(std::memory_order_relaxed); }
  void set_stage(Stage stage) { stage_.store(stage, std::memory_order_relaxed); }

  RankOutput& output() { return output_; }
  /// nullptr: its program is a function of this process.
  ProgramImage* image() const { return image_.get(); }

  // --- Root
  void say_name(ShortText& text) const override { text << "rank " << number_; }

 private:
  friend class Strand;
  struct Helper;

  void enter();
  void leave();
  void program_has_ended();

  World& world_;
  Pe& pe_;
  int number_;
  int code_ = 0;
  std::atomic<Stage> stage_ = Stage::before_init;  // threads of the program may ask, too
  bool has_ended_ = false;
  RankOutput output_;
  std::unique_ptr<ProgramImage> image_;
  std::span<const std::byte> thread_locals_;
  std::array<std::unique_ptr<RankPart>, kRankSlots> parts_;
  std::unique_ptr<Strand> program_;
  Helper* helpers_ = nullptr;  // strands beside the program's
};

/// The rank of this number, which a message to this PE names. Throws CorruptMessage when it does not live here.
Rank& rank_here(Pe& pe, CollectionId ranks, int number);

/// The rank that runs on this thread, or whose program has made this thread, as long as that runs; nullptr: none. On
/// the program's own threads only stage(), number() and abort() are for use.
Rank* rank_of_thread() noexcept;

}  // namespace kaon::ampi
