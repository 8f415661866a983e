// SPDX-License-Identifier: Apache-2.0
#pragma once
// What misuses of device entries begin with.
#include <cstdint>

#include <kaon/device_entry.hpp>
#include <kaon/gpu.hpp>

#include "kaon/gpu/kernels/kernel_body.hpp"

struct Pool;
struct Cell {
  double value;
  kaon::gpu::DeviceObject<Cell> next;
  kaon::gpu::DeviceObject<Pool> pool;
  kaon::gpu::HostTarget<double> told;
};
struct Pool {
  double value;
};
struct Add {
  using Object = Cell;
  double amount;
  template <class At>
  KAON_DEVICE double operator()(At&, Cell& self) const {
    return self.value += amount;
  }
};
struct Drain {
  using Object = Pool;
  double amount;
  template <class At>
  KAON_DEVICE void operator()(At&, Pool& self) const {
    self.value -= amount;
  }
};
using CellObject = kaon::gpu::DeviceObject<Cell>;
using PoolObject = kaon::gpu::DeviceObject<Pool>;
template <class... Entry>
using Scheduler = kaon::gpu::Resident<kaon::gpu::DeviceEntries<Add, Drain, Entry...>>;
