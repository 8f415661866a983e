// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/halo/halo.kernels.hpp"

namespace halo {

namespace gpu = kaon::gpu;

/// The ways to start a step, and to wait for the rows of the neighbors.
enum class Way : std::uint8_t {
  tasks,    // the host: rows travel as payloads, and each step begins when they have come
  streams,  // streams: the host gives them all steps at once, and puts are started between two kernels
  kernel,   // one kernel a step, whose blocks start puts and wait for them
};

struct Plan {
  Levels levels{};
  std::uint32_t strips = 0, steps = 0;
  Way way = Way::tasks;
};

/// The value of a cell at the beginning; `row` counts from the top of the plate.
inline float value_at_begin(std::uint32_t level, std::uint32_t row, std::uint32_t column) {
  return static_cast<float>((level * 31 + row * 7 + column * 13) % 101);
}

/// Edges of all levels for a neighbor, or from it.
struct Edges {
  std::uint32_t step;
  std::uint32_t side;  // of the receiver
  kaon::Payload<float> rows;
};

/// Where the neighbors put rows and raise flags.
struct Offer {
  gpu::SegmentRange halos[2], arrived;
  template <class Archive>
  void pup(Archive& archive) {
    archive(halos[0], halos[1], arrived);
  }
};

/// A strip of each plate, one on each PE; the strips are a ring.
class Strip : public kaon::Chare<Strip> {
 public:
  kaon::Inbox<Edges, &Edges::step> edges;

  /// `number` counts from the top.
  kaon::Task<Offer> prepare(Plan plan, std::uint32_t number);
  /// Before the first step: the offers of the strips above and below.
  kaon::Task<> connect(Offer above, Offer below);
  /// All steps. Seconds that they took.
  kaon::Task<double> run(kaon::Group<Strip> strips);
  /// All levels, one behind the other.
  kaon::Task<std::vector<float>> result();

 private:
  Plates plates() const {
    return {plan_.levels, {grids_[0].data(), grids_[1].data()}, {halos_[0].data(), halos_[1].data()}};
  }
  std::uint32_t words() const { return plan_.levels.count * kSides; }
  /// Flags of the rows that the neighbors have put in a step: even and odd steps have words of their own, as the put of
  /// one step may come before that of the step before.
  gpu::FlagWord arrived(std::uint32_t step) const { return {arrived_.data() + std::size_t{step % 2} * words()}; }
  gpu::Grid edge_grid() const { return {{words()}, {kThreads}}; }
  gpu::Grid row_grid() const { return {{plan_.levels.rows}, {kThreads}}; }
  void fill_at_begin();
  std::vector<gpu::Put> puts_of(gpu::SegmentTable& table, std::uint32_t turn, const Offer& above,
                                const Offer& below) const;
  void send_edges(kaon::Group<Strip> strips, std::uint32_t step);
  void take_edges(Edges edges);
  kaon::Task<> run_by_tasks(kaon::Group<Strip> strips);
  void give_streams(std::uint32_t step);
  void give_kernel(std::uint32_t step);

  static constexpr unsigned kThreads = 128;
  static constexpr std::uint32_t kBlocks = 32;  // of a kernel that does a whole step: all of them run at once
  Plan plan_;
  std::uint32_t number_ = 0;
  gpu::Stream stream_;
  std::array<gpu::Buffer<float>, 2> grids_, halos_;
  gpu::Buffer<std::uint32_t> arrived_, drawn_, failures_;
  std::array<std::optional<gpu::PreparedPuts>, 2> lists_;  // of even and odd steps
};

}  // namespace halo
