// SPDX-License-Identifier: Apache-2.0
// The arithmetic of one row, shared with the OpenMP floor in bench/ so that both do the same work.
// Written with vectors of W doubles: a compiler left to itself begins at the second point, where the
// first neighbor along z lies in the row, and from there each load crosses a cache line.
#pragma once

#include <cstring>
#include <utility>

#define KAON_JACOBI_INLINE [[gnu::always_inline]] inline

namespace jacobi3d {

// The rows that a row is computed from, and the two points beyond its ends.
struct Rows {
  const double* center;
  const double* x_low;
  const double* x_high;
  const double* y_low;
  const double* y_high;
  double before;
  double after;
};

template <int W>
struct Lanes {
  typedef double Vector __attribute__((vector_size(W * sizeof(double))));
};
template <int W>
using Vector = typename Lanes<W>::Vector;

// The order of the additions and the true division are part of the result's definition. Compile
// with -ffp-contract=off.
template <class Number>
KAON_JACOBI_INLINE void relax(Number& value, const Number& x_low, const Number& x_high, const Number& y_low,
                              const Number& y_high, const Number& z_low, const Number& z_high) {
  value = (((((x_low + x_high) + y_low) + y_high) + z_low) + z_high) / 6.0;
}

// The largest and the smallest new - old seen: two maxima cost less than an absolute value.
template <int W>
class Extremes {
 public:
  template <class Number>
  KAON_JACOBI_INLINE static void widen(Number& most, Number& least, const Number& moved) {
    most = most < moved ? moved : most;
    least = moved < least ? moved : least;
  }
  KAON_JACOBI_INLINE void add(const Vector<W>& moved) { widen(most_, least_, moved); }
  KAON_JACOBI_INLINE void add(double moved) { widen(most_of_ends_, least_of_ends_, moved); }
  KAON_JACOBI_INLINE double change() const {
    double most = most_of_ends_, least = least_of_ends_;
    for (int lane = 0; lane < W; ++lane) {
      widen(most, least, most_[lane]);
      widen(most, least, least_[lane]);
    }
    return most > -least ? most : -least;
  }

 private:
  Vector<W> most_{}, least_{};
  double most_of_ends_ = 0, least_of_ends_ = 0;
};

template <int W>
KAON_JACOBI_INLINE void load(Vector<W>& vector, const double* from) {
  std::memcpy(&vector, from, sizeof vector);
}

// W lanes out of `low` and `high` side by side, beginning with lane `First`.
template <int W, int First, int... Lane>
KAON_JACOBI_INLINE void window(Vector<W>& result, const Vector<W>& low, const Vector<W>& high,
                               std::integer_sequence<int, Lane...>) {
  result = __builtin_shufflevector(low, high, (First + Lane)...);
}

template <int W>
KAON_JACOBI_INLINE void relax_vector(double* out, const Rows& rows, int k, const Vector<W>& before,
                                     const Vector<W>& center, const Vector<W>& after, Extremes<W>& extremes) {
  constexpr auto kLanes = std::make_integer_sequence<int, W>();
  Vector<W> x_low, x_high, y_low, y_high, z_low, z_high, value;
  load<W>(x_low, rows.x_low + k);
  load<W>(x_high, rows.x_high + k);
  load<W>(y_low, rows.y_low + k);
  load<W>(y_high, rows.y_high + k);
  window<W, W - 1>(z_low, before, center, kLanes);
  window<W, 1>(z_high, center, after, kLanes);
  relax(value, x_low, x_high, y_low, y_high, z_low, z_high);
  extremes.add(value - center);
  std::memcpy(out + k, &value, sizeof value);
}

// What is left at the end of a row whose length is no multiple of W.
template <int W>
KAON_JACOBI_INLINE void relax_rest(double* out, const Rows& rows, int k, int length, Extremes<W>& extremes) {
  for (; k < length; ++k) {
    const double z_low = k > 0 ? rows.center[k - 1] : rows.before;
    const double z_high = k + 1 < length ? rows.center[k + 1] : rows.after;
    relax(out[k], rows.x_low[k], rows.x_high[k], rows.y_low[k], rows.y_high[k], z_low, z_high);
    extremes.add(out[k] - rows.center[k]);
  }
}

// `out` overlaps none of the rows.
template <int W>
KAON_JACOBI_INLINE void relax_row(double* __restrict out, const Rows& rows, int length, Extremes<W>& extremes) {
  int k = 0;
  if (length >= W) {
    Vector<W> before, center, after{};
    before[W - 1] = rows.before;
    load<W>(center, rows.center);
    for (; k + 2 * W <= length; k += W) {
      load<W>(after, rows.center + k + W);
      relax_vector<W>(out, rows, k, before, center, after, extremes);
      before = center;
      center = after;
    }
    after[0] = k + W < length ? rows.center[k + W] : rows.after;
    relax_vector<W>(out, rows, k, before, center, after, extremes);
    k += W;
  }
  relax_rest<W>(out, rows, k, length, extremes);
}

}  // namespace jacobi3d
