// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/jacobi3d/lockstep.hpp"
#include "examples/jacobi3d/points.hpp"

namespace jacobi3d {

// The values that a block just outside a face needs for one step.
struct Halo {
  int step;
  Face face;  // of the receiver
  kaon::Payload<double> plane;
};

// A part of the cube. It relaxes as soon as its neighbors' halos are there, whatever other blocks do: a neighbor is at
// most one step ahead.
class Block : public kaon::Chare<Block> {
 public:
  Block(const Options& options, bool is_on_device, const kaon::Group<Lockstep>& lockstep)
      : points_(make_points(options, place(), is_on_device)) {
    if (points_->shares_launches()) lockstep_ = &lockstep.local();
    if (lockstep_ != nullptr) lockstep_->join(self());
    for (const Face face : kFaces) {
      const Triple other = neighbor(place(), face);
      if (options.decomposition.contains(other)) neighbors_.push_back({face, other});
    }
  }

  // Halos wait here, by step, until run() asks for them.
  kaon::Inbox<Halo, &Halo::step> halos;
  kaon::Inbox<Turn, &Turn::step> turns;

  // Relaxes `count` times; returns the largest change of the last time in this block.
  kaon::Task<double> run(int count) {
    for (const int stop = step_ + count; step_ < stop; ++step_) {
      Planes outside;
      for (std::size_t missing = step_ > 0 ? neighbors_.size() : 0; missing > 0; --missing) {
        Halo halo = co_await halos.when(step_);  // faces in any order
        outside[number(halo.face)] = std::move(halo.plane);
      }
      if (lockstep_ != nullptr && step_ > 0) co_await turns.when(step_);
      send(points_->relax(std::move(outside)));
      if (lockstep_ != nullptr) lockstep_->note_given(step_);
      if (step_ % kPace == 0) co_await points_->keep_pace();
    }
    co_return co_await points_->change();
  }

  // Between runs:
  kaon::Task<CompensatedSum> sum() { co_return co_await points_->sum(); }
  kaon::Task<std::vector<double>> slice(int x) { co_return co_await points_->slice(x); }

 private:
  static constexpr int kPace = 8;  // steps

  Triple place() const { return {index().x, index().y, index().z}; }

  void send(Planes planes) {
    for (const auto& [face, to] : neighbors_) {
      const auto block = array()[{to[0], to[1], to[2]}].with_priority(points_->turn(to, step_ + 1));
      block.send<&Block::halos>(Halo{step_ + 1, opposite(face), std::move(planes[number(face)])});
    }
  }

  struct Neighbor {
    Face face;  // of this block
    Triple place;
  };
  std::vector<Neighbor> neighbors_;
  std::unique_ptr<Points> points_;
  Lockstep* lockstep_ = nullptr;  // of this PE; nullptr: each block goes on by itself
  int step_ = 0;
};

inline void Lockstep::note_given(int step) {
  if (++given_ < members_.size()) return;
  given_ = 0;
  for (const kaon::Element<Block>& member : members_) member.send<&Block::turns>(Turn{step + 1});
}

}  // namespace jacobi3d
