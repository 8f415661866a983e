// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/schedule.hpp"

#include <utility>

namespace kaon::ampi {

bool Transport::copy(const Piece& from, const Piece& to, Completion&) {
  ampi::copy(from, to);
  return true;
}

void Schedule::send(int peer, const Piece& piece, Side side) {
  steps_.push_back({.kind = Kind::send, .side = side, .peer = peer, .from = piece, .to = {}});
}

void Schedule::receive(int peer, const Piece& piece, Side side) {
  steps_.push_back({.kind = Kind::receive, .side = side, .peer = peer, .from = {}, .to = piece});
}

void Schedule::copy(const Piece& from, const Piece& to) {
  if (from.at == to.at && from.type == to.type) return;
  steps_.push_back({.kind = Kind::copy, .from = from, .to = to});
}

void Schedule::combine(const Operation& operation, const void* from, const Piece& into) {
  const Piece left{const_cast<void*>(from), into.count, into.type};
  steps_.push_back({.kind = Kind::combine, .from = left, .to = into, .operation = &operation});
}

void Schedule::call(void (*function)(void*), void* argument) {
  steps_.push_back({.kind = Kind::call, .from = {argument, 0, nullptr}, .to = {}, .function = function});
}

void Schedule::fence() {
  if (!steps_.empty() && steps_.back().kind != Kind::fence)
    steps_.push_back({.kind = Kind::fence, .from = {}, .to = {}});
}

void* Schedule::scratch(MPI_Count bytes) {
  scratch_.push_back(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes)));
  return scratch_.back().get();
}

Piece Schedule::scratch_like(MPI_Count count, const Datatype& type) {
  const Span span = span_of(count, type);
  return {static_cast<std::byte*>(scratch(span.bytes)) - span.first, count, &type};
}

bool Schedule::start(Transport& transport, int tag, ScheduleOwner& owner) {
  transport_ = &transport;
  tag_ = tag;
  owner_ = &owner;
  next_ = 0;
  error_ = MPI_SUCCESS;
  under_way_ = 1;
  return walk();
}

bool Schedule::go_on() {
  if (!held_up_) return false;
  held_up_ = false;
  do_locally(steps_[next_++]);
  if (walk()) owner_->ended(error_);
  return true;
}

void Schedule::clear() {
  steps_.clear();
  scratch_.clear();
}

void Schedule::completed(int error) {
  note_error(error);
  if (--under_way_ > 0) return;
  under_way_ = 1;
  if (walk()) owner_->ended(error_);
}

// True at the end. Else something is under way that goes on from here.
bool Schedule::walk() {
  for (; next_ < steps_.size(); ++next_) {
    const Step& step = steps_[next_];
    if (must_be_held_up(step)) {
      held_up_ = true;
      owner_->held_up();
      return false;
    }
    if (do_step(step)) continue;
    ++next_;
    return false;
  }
  return --under_way_ == 0;
}

void Schedule::copy_has_ended(int error) {
  note_error(error);
  if (walk()) owner_->ended(error_);
}

// False: it is a fence, and messages before it are under way, or a copy that is.
bool Schedule::do_step(const Step& step) {
  switch (step.kind) {
    case Kind::send:
      if (!transport_->send(step.side, step.peer, tag_, step.from, *this)) ++under_way_;
      return true;
    case Kind::receive:
      if (!transport_->receive(step.side, step.peer, tag_, step.to, *this)) ++under_way_;
      return true;
    case Kind::copy:
      return transport_->copy(step.from, step.to, copy_end_);
    case Kind::fence:
      if (--under_way_ > 0) return false;
      under_way_ = 1;
      return true;
    default:
      do_locally(step);
      return true;
  }
}

void Schedule::do_locally(const Step& step) {
  switch (step.kind) {
    case Kind::combine:
      ampi::combine(*step.operation, step.from.at, step.to);
      break;
    default:
      step.function(step.from.at);
  }
}

bool Schedule::must_be_held_up(const Step& step) {
  return step.kind == Kind::combine && is_of_the_program(*step.operation) && !owner_->may_call_program();
}

}  // namespace kaon::ampi
