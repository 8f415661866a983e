// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/slab_jacobi.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kaon::bench {

using jacobi3d::Face;
using jacobi3d::plane_size;
using jacobi3d::SweepKernel;
using jacobi3d::Triple;
using jacobi3d::volume;

namespace {

constexpr int kMostSteps = 10000;  // cells for the changes

}  // namespace

// A neighbor is at most one step ahead: it writes the plane for the next step while this one is read, so two are
// enough.
struct SlabJacobi::Slab {
  Slab(int its_device, const Triple& shape)
      : device(its_device),
        block(its_device, shape),
        changes(its_device, kMostSteps * sizeof(double)),
        edges(its_device),
        inner(its_device),
        edges_done(its_device),
        inner_done(its_device),
        sent(its_device) {
    for (auto& side : halos) {
      for (DeviceMemory& plane : side) plane = DeviceMemory(device, plane_size(shape, Face::x_low) * sizeof(double));
    }
  }

  int device;
  DeviceBlock block;
  DeviceMemory changes;
  std::array<std::array<DeviceMemory, 2>, 2> halos;  // low and high; even and odd steps
  Stream edges, inner;                               // of the outermost planes and their copies; of the others
  Event edges_done, inner_done, sent;
  Slab* low = nullptr;
  Slab* high = nullptr;
};

SlabJacobi::SlabJacobi(const Triple& points, int devices, Order order) : order_(order) {
  const Triple shape{points[0] / devices, points[1], points[2]};
  if (shape[0] * devices != points[0] || shape[0] < 2) throw std::runtime_error("the slabs would not be equal");
  for (int device = 0; device < devices; ++device) slabs_.push_back(std::make_unique<Slab>(device, shape));
  for (std::size_t i = 0; i + 1 < slabs_.size(); ++i) {
    slabs_[i]->high = slabs_[i + 1].get();
    slabs_[i + 1]->low = slabs_[i].get();
  }
}

SlabJacobi::~SlabJacobi() = default;

void SlabJacobi::sweep(Slab& slab, int first_x, int last_x, const Stream& stream) const {
  SweepKernel kernel = slab.block.kernel();
  kernel.first_x = first_x;
  kernel.last_x = last_x;
  kernel.change = slab.changes.doubles() + step_;
  const auto parity = static_cast<std::size_t>(step_ % 2);
  if (slab.low != nullptr) kernel.in[0] = {step_ > 0 ? slab.halos[0][parity].doubles() : nullptr, 0.0};
  if (slab.high != nullptr) kernel.in[1] = {step_ > 0 ? slab.halos[1][parity].doubles() : nullptr, 0.0};
  launch_sweep(kernel, stream);
}

// Where the neighbor reads it in the next step: what leaves this slab at its high end arrives at the low one.
void SlabJacobi::send_plane(Slab& from, Slab& to, int x, bool is_low) {
  const Triple& shape = from.block.shape();
  const std::size_t plane = plane_size(shape, Face::x_low);
  const DeviceMemory& halo = to.halos[is_low ? 1 : 0][static_cast<std::size_t>((step_ + 1) % 2)];
  check(cudaMemcpyPeerAsync(halo.data(), to.device, from.block.next() + static_cast<std::size_t>(x) * plane,
                            from.device, plane * sizeof(double), from.edges),
        "send a plane");
}

void SlabJacobi::send(Slab& slab) {
  if (slab.low != nullptr) send_plane(slab, *slab.low, 0, true);
  if (slab.high != nullptr) send_plane(slab, *slab.high, slab.block.shape()[0] - 1, false);
  slab.sent.record(slab.edges);
}

// The stream of the edges waits for the neighbors' planes of the step before, and each stream for what the other one
// computed then. A plane of the neighbor's is overwritten only after it has been read: what is sent here depends on
// this step's edges, these on the neighbor's copies of the last step, and those came behind its reading.
void SlabJacobi::step(Slab& slab) {
  check(cudaSetDevice(slab.device), "choose a device");
  if (order_ == Order::sweep_then_copies)
    sweep(slab, 0, slab.block.shape()[0], slab.edges);
  else if (order_ == Order::copies_beside_sweep)
    sweep_edges_first(slab);
  send(slab);
}

void SlabJacobi::sweep_edges_first(Slab& slab) const {
  const int nx = slab.block.shape()[0];
  slab.inner.wait_for(slab.edges_done);
  slab.edges.wait_for(slab.inner_done);
  sweep(slab, 0, 1, slab.edges);
  sweep(slab, nx - 1, nx, slab.edges);
  slab.edges_done.record(slab.edges);
  sweep(slab, 1, nx - 1, slab.inner);
  slab.inner_done.record(slab.inner);
}

void SlabJacobi::run(int steps) {
  if (step_ + steps > kMostSteps) throw std::runtime_error("too many steps");
  for (const int last = step_ + steps; step_ < last; ++step_) {
    for (const auto& slab : slabs_) step(*slab);
    for (const auto& slab : slabs_) {
      slab->block.flip();
      if (slab->low != nullptr) slab->edges.wait_for(slab->low->sent);
      if (slab->high != nullptr) slab->edges.wait_for(slab->high->sent);
    }
  }
  for (const auto& slab : slabs_) {
    slab->edges.wait();
    slab->inner.wait();
  }
}

double SlabJacobi::last_change() const {
  double most = 0;
  for (const auto& slab : slabs_) {
    double change = 0;
    check(cudaMemcpy(&change, slab->changes.doubles() + step_ - 1, sizeof change, cudaMemcpyDefault), "read a change");
    most = std::max(most, change);
  }
  return most;
}

std::vector<double> SlabJacobi::values() const {
  std::vector<double> values;
  for (const auto& slab : slabs_) {
    const std::size_t old = values.size(), count = volume(slab->block.shape());
    values.resize(old + count);
    check(cudaMemcpy(values.data() + old, slab->block.now(), count * sizeof(double), cudaMemcpyDefault), "read a slab");
  }
  return values;
}

}  // namespace kaon::bench
