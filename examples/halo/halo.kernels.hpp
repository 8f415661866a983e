// SPDX-License-Identifier: Apache-2.0
#pragma once
// A strip of each of several plates, finer and coarser ones, with a row of the strips above and below it on either
// side.
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/puts/put_ring.hpp"

namespace halo {

/// The levels of a multigrid: level l has 2^l times fewer columns and rows than level 0.
struct Levels {
  std::uint32_t count, rows, columns;  // rows and columns of a strip on level 0
  KAON_DEVICE std::uint32_t rows_of(std::uint32_t level) const { return rows >> level; }
  KAON_DEVICE std::uint32_t columns_of(std::uint32_t level) const { return columns >> level; }
  /// Where a level begins in the memory of one grid, or behind the last one.
  KAON_DEVICE std::size_t offset_of(std::uint32_t level) const {
    std::size_t offset = 0;
    for (std::uint32_t l = 0; l < level; ++l) offset += std::size_t{rows_of(l)} * columns_of(l);
    return offset;
  }
  /// The same of rows of neighbors, of which each level has two.
  KAON_DEVICE std::size_t halo_offset_of(std::uint32_t level) const {
    std::size_t offset = 0;
    for (std::uint32_t l = 0; l < level; ++l) offset += 2 * std::size_t{columns_of(l)};
    return offset;
  }
};

enum Side : std::uint32_t { kAbove, kBelow, kSides };

/// The memory that kernels reach. Grids and halos have two places, used in turns.
struct Plates {
  Levels levels;
  float* grids[2];
  float* halos[2];

  KAON_DEVICE float* halo(std::uint32_t turn, std::uint32_t level, std::uint32_t side) const {
    return halos[turn % 2] + levels.halo_offset_of(level) + std::size_t{side} * levels.columns_of(level);
  }
  /// The row of a level that the strip above or below reads.
  KAON_DEVICE std::uint32_t edge_row(std::uint32_t level, std::uint32_t side) const {
    return side == kAbove ? 0 : levels.rows_of(level) - 1;
  }
  /// One row of the step from turn to turn + 1, by `lanes` threads. The plates are closed at left and right.
  KAON_DEVICE void relax_row(std::uint32_t turn, std::uint32_t level, std::uint32_t row, std::size_t lane,
                             std::size_t lanes) const {
    const std::uint32_t columns = levels.columns_of(level), rows = levels.rows_of(level);
    const float* const from = grids[turn % 2] + levels.offset_of(level);
    float* const to = grids[(turn + 1) % 2] + levels.offset_of(level) + std::size_t{row} * columns;
    const float* const here = from + std::size_t{row} * columns;
    const float* const above = row > 0 ? here - columns : halo(turn, level, kAbove);
    const float* const below = row + 1 < rows ? here + columns : halo(turn, level, kBelow);
    for (std::size_t i = lane; i < columns; i += lanes) {
      const float left = here[i > 0 ? i - 1 : columns - 1], right = here[i + 1 < columns ? i + 1 : 0];
      to[i] = 0.25F * ((above[i] + below[i]) + (left + right));
    }
  }
};

/// The rows of all levels that neighbors read: one block each.
struct RelaxEdges {
  Plates plates;
  std::uint32_t turn;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::uint32_t level = at.block().x / kSides, side = at.block().x % kSides;
    plates.relax_row(turn, level, plates.edge_row(level, side), at.thread().x, at.threads().x);
  }
};

/// All other rows: one block for each row of level 0, which also does its part of the coarser levels.
struct RelaxInterior {
  Plates plates;
  std::uint32_t turn;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    for (std::uint32_t level = 0; level < plates.levels.count; ++level)
      for (std::uint32_t row = at.block().x + 1; row + 1 < plates.levels.rows_of(level); row += at.blocks().x)
        plates.relax_row(turn, level, row, at.thread().x, at.threads().x);
  }
};

/// A whole step in one kernel, whose blocks draw roles: first the rows that neighbors read, each of which is put to
/// them at once; then all other rows; then the waits for what neighbors put here. Who waits has drawn last, so that no
/// block waits while a row is left that nobody has taken.
struct FusedStep {
  static constexpr bool kIsCooperative = true;
  Plates plates;
  std::uint32_t turn;
  kaon::gpu::PutRing ring;      // puts of this turn, by level and side
  kaon::gpu::FlagWord arrived;  // of this turn, one word for each level and side
  std::uint32_t* drawn;         // roles so far, in all steps
  std::uint32_t* failures;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::uint32_t edges = plates.levels.count * kSides, rows = plates.levels.rows;
    const std::uint32_t roles = edges + rows + edges;
    // Each block draws one role too many, which ends its part of a step.
    const std::uint32_t before = turn * (roles + static_cast<std::uint32_t>(at.blocks().x));
    for (;;) {
      const std::uint32_t drawing = at.is_first() ? at.fetch_add(drawn, 1U) - before : 0;
      const std::uint32_t role = at.sum(drawing);
      if (role >= roles) return;
      if (role < edges)
        put_edge(at, role);
      else if (role < edges + rows)
        relax(at, role - edges);
      else if (at.is_first() && !at.wait_for({arrived.word + (role - edges - rows)}, turn + 1))
        at.add_into(failures, 1U);
    }
  }

 private:
  template <class Context>
  KAON_DEVICE void put_edge(Context& at, std::uint32_t number) const {
    const std::uint32_t level = number / kSides, side = number % kSides;
    plates.relax_row(turn, level, plates.edge_row(level, side), at.thread().x, at.threads().x);
    at.sync();
    if (at.is_first() && !ring.start(at, number, turn + 1)) at.add_into(failures, 1U);
  }
  template <class Context>
  KAON_DEVICE void relax(Context& at, std::uint32_t row) const {
    for (std::uint32_t level = 0; level < plates.levels.count; ++level)
      if (row > 0 && row + 1 < plates.levels.rows_of(level))
        plates.relax_row(turn, level, row, at.thread().x, at.threads().x);
  }
};

}  // namespace halo

KAON_KERNEL(halo::RelaxEdges);
KAON_KERNEL(halo::RelaxInterior);
KAON_KERNEL(halo::FusedStep);
