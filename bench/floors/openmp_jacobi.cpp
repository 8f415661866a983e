// SPDX-License-Identifier: Apache-2.0
#include "bench/floors/openmp_jacobi.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <utility>

#include "bench/floors/jacobi_kernels.hpp"
#include "bench/floors/static_jacobi.hpp"

namespace kaon::bench {
namespace {

double step(const JacobiGrid& now, const JacobiGrid& next, Tiling tile, TileFunction relax) {
  const int n = now.cells;
  double change = 0;
#pragma omp parallel for collapse(2) schedule(static) reduction(max : change)
  for (int x = 0; x < n; x += tile.x)
    for (int y = 0; y < n; y += tile.y) change = std::max(change, relax(now, next, x, y, tile));
  return change;
}

// With the shares of the sweeps, which are all alike along x. Ghosts are 1, points 0.
void fill(const JacobiGrid& grid, int threads) {
  const int n = grid.cells, share = (n + threads - 1) / threads;
  const auto fill_row = [&](int i, int j) {
    const bool is_ghost = i < 0 || i == n || j < 0 || j == n;
    double* const row = grid.row(i, j);
    std::fill_n(row, n, is_ghost ? 1.0 : 0.0);
    row[-1] = row[n] = 1.0;
  };
#pragma omp parallel for schedule(static)
  for (int x = 0; x < n; x += share)
    for (int i = x; i < std::min(x + share, n); ++i)
      for (int j = -1; j <= n; ++j) fill_row(i, j);
  for (int j = -1; j <= n; ++j) {
    fill_row(-1, j);
    fill_row(n, j);
  }
}

// Slabs as a user would write them, slabs whose three planes fit into the second-level cache, and bricks.
std::vector<Tiling> tilings(int cells, int threads) {
  const int share = (cells + threads - 1) / threads;
  return {{share, cells}, {share, 32}, {share, 64}, {64, 64}, {8, cells}};
}

}  // namespace

struct OpenmpJacobi::Parts {
  using Run = std::function<JacobiTime(int iterations)>;

  Parts(int cells, int its_threads) : threads(its_threads), now(cells, 0), next(cells, kHalfPage) {
    fill(now, threads);
    fill(next, threads);
  }

  double change_after(int iterations, Tiling tile, TileFunction relax) {
    double change = 0;
    for (int i = 0; i < iterations; ++i) {
      change = step(now, next, tile, relax);
      std::swap(now, next);
    }
    return change;
  }

  JacobiTime time(const std::string& name, int iterations, Tiling tile, TileFunction relax) {
    fill(now, threads);
    change_after(1, tile, relax);
    const auto start = std::chrono::steady_clock::now();
    const double change = change_after(iterations - 1, tile, relax);
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    return {name, spent.count() / (iterations - 1), change};
  }

  int threads;
  JacobiGrid now, next;
  std::vector<std::pair<std::string, Run>> programs;
};

OpenmpJacobi::OpenmpJacobi(int cells, int threads) {
  omp_set_num_threads(threads);
  parts_ = std::make_unique<Parts>(cells, threads);
  Parts& parts = *parts_;
  for (const JacobiKernel& kernel : runnable_jacobi_kernels())
    for (const Tiling tile : tilings(cells, threads)) {
      const std::string name = fmt::format("{}/{}/{}x{}", kernel.instructions, kernel.name, tile.x, tile.y);
      parts.programs.emplace_back(
          name, [=, &parts](int iterations) { return parts.time(name, iterations, tile, kernel.relax); });
    }
  for (const StaticJacobi& program : runnable_static_jacobis()) {
    const std::string name = fmt::format("{}/independent/static", program.instructions);
    parts.programs.emplace_back(name, [=](int iterations) {
      const StaticJacobiTime time = program.run(cells, iterations, threads);
      return JacobiTime{name, time.ms_per_iteration, time.change};
    });
  }
}

OpenmpJacobi::~OpenmpJacobi() = default;

std::vector<std::string> OpenmpJacobi::programs() const {
  std::vector<std::string> names;
  for (const auto& program : parts_->programs) names.push_back(program.first);
  return names;
}

std::vector<JacobiTime> OpenmpJacobi::run(const std::vector<std::string>& programs, int iterations) {
  std::vector<JacobiTime> times;
  for (const std::string& name : programs) {
    const auto found = std::find_if(parts_->programs.begin(), parts_->programs.end(),
                                    [&](const auto& program) { return program.first == name; });
    if (found == parts_->programs.end())
      throw std::runtime_error(fmt::format("there is no program '{}' for this processor and these threads", name));
    times.push_back(found->second(iterations));
    if (times.back().change != times.front().change)
      throw std::runtime_error(fmt::format("{} and {} do not compute the same", times.front().program, name));
  }
  return times;
}

std::vector<std::string> OpenmpJacobi::fastest(std::size_t count) {
  constexpr std::size_t kHalfWay = 8;
  std::vector<std::string> names = programs();
  for (const auto& [iterations, kept] : {std::pair{4, std::max(kHalfWay, count)}, std::pair{8, count}}) {
    std::vector<JacobiTime> times = run(names, iterations);
    std::sort(times.begin(), times.end(),
              [](const auto& a, const auto& b) { return a.ms_per_iteration < b.ms_per_iteration; });
    names.clear();
    for (std::size_t i = 0; i < std::min(kept, times.size()); ++i) names.push_back(times[i].program);
  }
  return names;
}

}  // namespace kaon::bench
