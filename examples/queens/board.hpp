// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace queens {

/// Queens on the first rows. Columns and diagonals that they attack are bits, of the next row.
struct Board {
  int size = 8;
  int rows = 0;
  std::uint32_t columns = 0, rising = 0, falling = 0;

  /// Calls `visit` with each board that has one more.
  template <class Visit>
  void each_next(Visit visit) const {
    const std::uint32_t all = (std::uint32_t{1} << size) - 1;
    for (std::uint32_t free = all & ~(columns | rising | falling); free != 0; free &= free - 1) {
      const std::uint32_t queen = free & (~free + 1);
      visit(Board{size, rows + 1, columns | queen, (rising | queen) << 1, (falling | queen) >> 1});
    }
  }
};

inline std::uint64_t solutions(const Board& board) {
  if (board.rows == board.size) return 1;
  std::uint64_t found = 0;
  board.each_next([&](const Board& next) { found += solutions(next); });
  return found;
}

}  // namespace queens
