// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

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
  Block(const Options& options, bool is_on_device)
      : cube_(options.decomposition), points_(make_points(options, place(), is_on_device)) {}

  // Halos wait here, by step, until run() asks for them.
  kaon::Inbox<Halo, &Halo::step> halos;

  // Relaxes `count` times; returns the largest change of the last time in this block.
  kaon::Task<double> run(int count) {
    for (const int stop = step_ + count; step_ < stop; ++step_) {
      Planes outside;
      for (int missing = step_ > 0 ? count_neighbors() : 0; missing > 0; --missing) {
        Halo halo = co_await halos.when(step_);  // faces in any order
        outside[number(halo.face)] = std::move(halo.plane);
      }
      send(points_->relax(std::move(outside)));
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

  int count_neighbors() const {
    return static_cast<int>(std::count_if(kFaces.begin(), kFaces.end(),
                                          [this](Face face) { return cube_.contains(neighbor(place(), face)); }));
  }

  void send(Planes planes) {
    for (const Face face : kFaces) {
      const Triple to = neighbor(place(), face);
      if (!cube_.contains(to)) continue;
      const auto block = array()[{to[0], to[1], to[2]}].with_priority(points_->turn(to, step_ + 1));
      block.send<&Block::halos>(Halo{step_ + 1, opposite(face), std::move(planes[number(face)])});
    }
  }

  Decomposition cube_;
  std::unique_ptr<Points> points_;
  int step_ = 0;
};

}  // namespace jacobi3d
