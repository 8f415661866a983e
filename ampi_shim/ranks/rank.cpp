// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/rank.hpp"

#include <string>
#include <utility>

#include "kaon/ampi_shim/program/program.hpp"
#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::ampi {
namespace rank_handlers {  // not unnamed: entries are told apart by their names

void rank_has_ended(Pe&, int code) { World::get().rank_has_ended(code); }
/// Never sent: it numbers the turns of ranks among the kinds of work.
void turn_of_rank(Pe&) {}

}  // namespace rank_handlers

namespace {

constexpr PeId kFirstPe = 0;
using Ended = RemoteProcedure<&rank_handlers::rank_has_ended, Counting::counted>;
using Turn = RemoteProcedure<&rank_handlers::turn_of_rank>;

}  // namespace

/// A strand beside the program's, in the rank's list.
struct Rank::Helper {
  Helper(Rank& rank, std::function<void()> body)
      : strand(rank, rank.world_.helper_stacks(), std::move(body), [this] { end(); }), next(rank.helpers_) {
    if (next != nullptr) next->link = &next;
    link = &rank.helpers_;
    rank.helpers_ = this;
    rank.begin_strand();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() {
    *link = next;
    if (next != nullptr) next->link = link;
  }
  void end() {
    strand.rank().end_strand();
    delete this;
  }

  Strand strand;
  Helper* next;
  Helper** link = nullptr;
};

Rank::Rank()
    : Root(this_pe()),
      world_(World::get()),
      pe_(this_pe()),
      number_(static_cast<int>(ElementAccess::index(*this))),
      output_(number_, world_.options().has_labels) {
  kind = Turn::kind();
}

Rank::~Rank() {
  while (helpers_ != nullptr) delete helpers_;
  program_.reset();
  output_.finish();
}

Rank* Rank::neighbour(int number) const {
  return static_cast<Rank*>(ElementAccess::table(*this).find(static_cast<std::uint64_t>(number)));
}

Rank& rank_here(Pe& pe, CollectionId ranks, int number) {
  ElementTable* const table = find_table(pe.collections(), ranks);
  ElementBase* element = table != nullptr ? table->find(static_cast<std::uint64_t>(number)) : nullptr;
  if (element == nullptr) throw CorruptMessage("a message came for a rank that is not here");
  return *static_cast<Rank*>(element);
}

PeId Rank::pe_of(int number) const {
  return ElementAccess::table(*this).forwarding().where(static_cast<std::uint64_t>(number));
}

void Rank::enter() {
  if (image_ != nullptr) image_->switch_in();
}

void Rank::leave() {
  if (image_ != nullptr) image_->switch_out();
}

void Rank::start() {
  if (world_.program != nullptr) {
    image_ = world_.program->load(this);
    thread_locals_ = image_->thread_locals();
  }
  program_ = std::make_unique<Strand>(
      *this, world_.stacks(), [this] { code_ = world_.main()(*this); }, [this] { program_has_ended(); });
  program_->make_ready();
}

void Rank::program_has_ended() {
  has_ended_ = true;
  output_.finish();
  if (stage() == Stage::running)
    abort(code_, "has ended with exit code " + std::to_string(code_) +
                     " without MPI_Finalize; call that before main returns, or MPI_Abort to end all ranks");
  program_.reset();
  end_strand();
  if (code_ == 0 && world_.fails_at_end()) code_ = kExitOther;
  Ended::send(pe_, kFirstPe, code_);
}

void Rank::start_strand(std::function<void()> body) { (new Helper(*this, std::move(body)))->strand.make_ready(); }

Rank* rank_of_thread() noexcept {
  if (Rank* const rank = current_rank_or_null()) return rank;
  const ProgramImage* const image = ProgramImage::calling();
  return image != nullptr ? static_cast<Rank*>(image->owner()) : nullptr;
}

void Rank::abort(int code, std::string_view what) {
  if (image_ != nullptr && !has_ended_) image_->flush();
  output_.finish();
  // A process gives its parent no more than a byte, and 0 would say that all went well.
  const int seen = (code & 0xff) != 0 ? code & 0xff : kExitOther;
  world_.abort(seen, name() + " " + std::string(what));
}

}  // namespace kaon::ampi
