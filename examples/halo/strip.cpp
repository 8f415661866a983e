// SPDX-License-Identifier: Apache-2.0
#include "examples/halo/strip.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace halo {

kaon::Task<Offer> Strip::prepare(Plan plan, std::uint32_t number) {
  plan_ = plan;
  number_ = number;
  const std::size_t cells = plan.levels.offset_of(plan.levels.count);
  const std::size_t edge_cells = plan.levels.halo_offset_of(plan.levels.count);
  for (auto& grid : grids_) grid = gpu::Buffer<float>(cells, stream_);
  for (auto& halo : halos_) halo = gpu::Buffer<float>(edge_cells, stream_);
  arrived_ = gpu::Buffer<std::uint32_t>(std::size_t{2} * words(), stream_);
  drawn_ = gpu::Buffer<std::uint32_t>(1, stream_);
  failures_ = gpu::Buffer<std::uint32_t>(1, stream_);
  for (const auto* words : {&arrived_, &drawn_, &failures_}) stream_.fill(words->span(), 0);
  fill_at_begin();
  co_await stream_.drained();
  const Offer offer{{gpu::share_segment(halos_[0]), gpu::share_segment(halos_[1])}, gpu::share_segment(arrived_)};
  co_return offer;
}

// The first rows of the neighbors are known to all.
void Strip::fill_at_begin() {
  const Levels& levels = plan_.levels;
  gpu::Pinned<float> grid(grids_[0].size(), stream_), halo(halos_[0].size(), stream_);
  for (std::uint32_t level = 0; level < levels.count; ++level) {
    const std::uint32_t rows = levels.rows_of(level), columns = levels.columns_of(level), all = rows * plan_.strips,
                        first = number_ * rows;
    for (std::uint32_t column = 0; column < columns; ++column) {
      for (std::uint32_t row = 0; row < rows; ++row)
        grid[levels.offset_of(level) + std::size_t{row} * columns + column] =
            value_at_begin(level, first + row, column);
      float* const edge = &halo[levels.halo_offset_of(level) + column];
      edge[0] = value_at_begin(level, (first + all - 1) % all, column);
      edge[columns] = value_at_begin(level, (first + rows) % all, column);
    }
  }
  stream_.copy(grids_[0].span(), grid);
  stream_.copy(halos_[0].span(), halo);
}

std::vector<gpu::Put> Strip::puts_of(gpu::SegmentTable& table, std::uint32_t turn, const Offer& above,
                                     const Offer& below) const {
  const Levels& levels = plan_.levels;
  const auto from = table.add("the next grid", grids_[(turn + 1) % 2]);
  std::vector<gpu::Put> puts;
  std::array<gpu::SegmentNumber, kSides> to, flags;
  for (const auto& [side, offer] : {std::pair{kAbove, &above}, std::pair{kBelow, &below}}) {
    to[side] = table.add("the neighbor's halos", offer->halos[(turn + 1) % 2]);
    flags[side] = table.add("the neighbor's flags", offer->arrived);
  }
  for (std::uint32_t number = 0; number < words(); ++number) {
    const std::uint32_t level = number / kSides, side = number % kSides, other = kSides - 1 - side;
    const std::uint64_t bytes = levels.columns_of(level) * sizeof(float);
    puts.push_back({.from = from,
                    .to = to[side],
                    .flags = flags[side],
                    .flag = static_cast<std::uint16_t>(turn * words() + level * kSides + other),
                    .bytes = bytes,
                    .from_offset = levels.offset_of(level) * sizeof(float) + plates().edge_row(level, side) * bytes,
                    .to_offset = levels.halo_offset_of(level) * sizeof(float) + other * bytes});
  }
  return puts;
}

kaon::Task<> Strip::connect(Offer above, Offer below) {
  if (plan_.way == Way::tasks) co_return;
  for (std::uint32_t turn = 0; turn < lists_.size(); ++turn) {
    gpu::SegmentTable table;
    const std::vector<gpu::Put> puts = puts_of(table, turn, above, below);
    lists_[turn].emplace(table, puts, stream_);
  }
}

kaon::Task<double> Strip::run(kaon::Group<Strip> strips) {
  const auto begin = std::chrono::steady_clock::now();
  if (plan_.way == Way::tasks) co_await run_by_tasks(strips);
  for (std::uint32_t step = 0; step < plan_.steps; ++step) {
    if (plan_.way == Way::streams) give_streams(step);
    if (plan_.way == Way::kernel) give_kernel(step);
  }
  co_await stream_.drained();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  co_return seconds.count();
}

// --- by tasks

kaon::Task<> Strip::run_by_tasks(kaon::Group<Strip> strips) {
  for (std::uint32_t step = 0; step < plan_.steps; ++step) {
    stream_.launch(edge_grid(), RelaxEdges{plates(), step});
    send_edges(strips, step + 1);
    stream_.launch(row_grid(), RelaxInterior{plates(), step});
    for (std::uint32_t side = 0; side < kSides; ++side) {
      Edges came = co_await edges.when(step + 1);
      take_edges(std::move(came));
    }
  }
}

void Strip::send_edges(kaon::Group<Strip> strips, std::uint32_t step) {
  const Levels& levels = plan_.levels;
  for (std::uint32_t side = 0; side < kSides; ++side) {
    gpu::Buffer<float> rows(halos_[0].size() / kSides, stream_);
    for (std::uint32_t level = 0; level < levels.count; ++level) {
      const std::size_t columns = levels.columns_of(level);
      const std::size_t from = levels.offset_of(level) + plates().edge_row(level, side) * columns;
      stream_.copy(rows.span().subspan(levels.halo_offset_of(level) / kSides, columns),
                   grids_[step % 2].span().subspan(from, columns));
    }
    const std::uint32_t neighbor = (number_ + (side == kAbove ? plan_.strips - 1 : 1)) % plan_.strips;
    strips[static_cast<int>(neighbor)].send<&Strip::edges>(
        Edges{step, kSides - 1 - side, kaon::Payload<float>(std::move(rows), stream_)});
  }
}

void Strip::take_edges(Edges came) {
  const Levels& levels = plan_.levels;
  const auto rows = came.rows.view(stream_);
  for (std::uint32_t level = 0; level < levels.count; ++level) {
    const std::size_t columns = levels.columns_of(level);
    stream_.copy(halos_[came.step % 2].span().subspan(levels.halo_offset_of(level) + came.side * columns, columns),
                 rows.subspan(levels.halo_offset_of(level) / kSides, columns));
  }
}

// --- by streams, and by kernels

// A neighbor has read what is overwritten here when its rows of the step before have come.
void Strip::give_streams(std::uint32_t step) {
  if (step > 0)
    for (std::uint32_t i = 0; i < words(); ++i) stream_.wait({arrived(step - 1).word + i}, step);
  stream_.launch(edge_grid(), RelaxEdges{plates(), step});
  lists_[step % 2]->start(stream_, step + 1);
  stream_.launch(row_grid(), RelaxInterior{plates(), step});
}

void Strip::give_kernel(std::uint32_t step) {
  stream_.launch({{kBlocks}, {kThreads}},
                 FusedStep{plates(), step, lists_[step % 2]->ring(), arrived(step), drawn_.data(), failures_.data()});
}

kaon::Task<std::vector<float>> Strip::result() {
  gpu::Pinned<float> grid(grids_[0].size(), stream_);
  gpu::Pinned<std::uint32_t> failures(1, stream_);
  stream_.copy(grid, grids_[plan_.steps % 2].span());
  stream_.copy(failures, failures_.span());
  co_await stream_.drained();
  if (failures[0] > 0) throw std::runtime_error("rows of a neighbor have not come within 2 s");
  std::vector<float> cells(grid.span().begin(), grid.span().end());
  co_return cells;
}

}  // namespace halo
