// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/resident/cut.hpp"

#include <algorithm>
#include <limits>

namespace jacobi3d {
namespace {

int divide_up(int a, int b) { return (a + b - 1) / b; }

int columns_of(const Triple& shape) { return divide_up(shape[1] * shape[2], Cut::kWidth); }

Cut cut_into(const Triple& shape, const Parts& parts, const Edges& edges, int planes) {
  Cut cut{};
  cut.points = shape[1] * shape[2];
  cut.columns = columns_of(shape);
  cut.by_z = Divisor(static_cast<std::uint32_t>(shape[2]));
  cut.by_columns = Divisor(static_cast<std::uint32_t>(cut.columns));
  cut.first_x = edges.low ? 1 : 0;
  cut.last_x = std::max(shape[0] - (edges.high ? 1 : 0), cut.first_x);
  cut.planes = planes;
  cut.parts = parts.count;
  cut.edge_parts[0] = edges.low ? parts_of_edge(shape, parts) : 0;
  cut.edge_parts[1] = edges.high ? parts_of_edge(shape, parts) : 0;
  cut.items = cut.columns * divide_up(cut.last_x - cut.first_x, planes);
  return cut;
}

// The cost of turns of all warps in planes: the first values of an item come late.
double cost_of(const Cut& cut, int items, const Parts& parts, int nz) {
  constexpr double kPlanesToBegin = 3, kRowsBeside = 9;  // fitted to measurements on an H200
  const double planes = divide_up(items, parts.warps) * (cut.planes + kPlanesToBegin);
  if (parts.are_in_cache) return planes;
  const double rows = std::max(1.0, static_cast<double>(items * Cut::kWidth) / nz);  // read those beside them, too
  return planes * (1 + kRowsBeside / rows);
}

// Of the parts with an edge as many as they can do beside it.
double share_rest(Cut& cut, const Parts& parts, int nz) {
  constexpr double kEdge = 3;  // what its one plane costs
  const int with_edge = cut.edge_parts[0] + cut.edge_parts[1], others = cut.parts - with_edge;
  if (others <= 0) return cost_of(cut, divide_up(cut.items, cut.parts), parts, nz);
  double least = std::numeric_limits<double>::infinity();
  int best = 0;
  const int most = with_edge > 0 ? cut.items / cut.parts : 0;
  for (int of_edge_part = 0; of_edge_part <= most; ++of_edge_part) {
    const double other = cost_of(cut, divide_up(cut.items - with_edge * of_edge_part, others), parts, nz);
    const double own = of_edge_part > 0 ? cost_of(cut, of_edge_part, parts, nz) : 0;
    const double cost = std::max(other, with_edge > 0 ? kEdge + own : 0);
    if (cost < least) least = cost, best = of_edge_part;
  }
  cut.of_edge_part = best;
  const int rest = cut.items - with_edge * best;
  cut.share = rest / others;
  cut.shares_with_one_more = rest % others;
  return least;
}

}  // namespace

int parts_of_edge(const Triple& shape, const Parts& parts) {
  return std::min(parts.count, divide_up(columns_of(shape), parts.warps));
}

Cut best_cut(const Triple& shape, const Parts& parts, const Edges& edges) {
  Cut best{};
  double least = std::numeric_limits<double>::infinity();
  for (int planes = shape[0]; planes > 0; --planes) {
    Cut cut = cut_into(shape, parts, edges, planes);
    const double cost = share_rest(cut, parts, shape[2]);
    if (cost < least) least = cost, best = cut;
  }
  return best;
}

}  // namespace jacobi3d
