// SPDX-License-Identifier: Apache-2.0
// Jacobi3D written by hand for the devices of one process: no runtime, no messages, a slab along x on each, so that
// halos are single stretches of memory.
#pragma once

#include <memory>
#include <vector>

#include "bench/gpu/floors/block.hpp"

namespace kaon::bench {

class SlabJacobi {
 public:
  enum class Order {
    sweep_then_copies,    // one kernel, then the copies
    copies_beside_sweep,  // the outermost planes are computed and sent first, the others meanwhile
    copies_only,          // nothing is computed
  };

  // The cube, or box, of `points` cut into slabs on the first `devices`.
  SlabJacobi(const jacobi3d::Triple& points, int devices, Order order);
  ~SlabJacobi();

  // Returns when all devices have done it. The largest change of each step lies on its device.
  void run(int steps);

  double last_change() const;
  std::vector<double> values() const;

 private:
  struct Slab;
  void step(Slab& slab);
  void sweep_edges_first(Slab& slab) const;
  void sweep(Slab& slab, int first_x, int last_x, const Stream& stream) const;
  void send_plane(Slab& from, Slab& to, int x, bool is_low);
  void send(Slab& slab);

  Order order_;
  int step_ = 0;
  std::vector<std::unique_ptr<Slab>> slabs_;
};

}  // namespace kaon::bench
