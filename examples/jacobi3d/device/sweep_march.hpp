// SPDX-License-Identifier: Apache-2.0
// How one thread sweeps: it holds a few points of a y-z plane and marches along x, so that each value is read from
// memory once and serves three x planes. What it needs from beside its points, other threads of its block have just
// read: those loads find their lines in the first-level cache. Device code.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "examples/jacobi3d/device/sixth.hpp"
#include "examples/jacobi3d/device/sweep.kernels.hpp"

namespace jacobi3d {

inline constexpr std::size_t kXLow = number(Face::x_low), kXHigh = number(Face::x_high);
inline constexpr std::size_t kYLow = number(Face::y_low), kYHigh = number(Face::y_high);
inline constexpr std::size_t kZLow = number(Face::z_low), kZHigh = number(Face::z_high);

// Points side by side along z, read and written at once.
template <int Width>
struct alignas(Width * sizeof(double)) Strip {
  double at[Width];
};

// One access of 16 bytes for two points, which memcpy() is not in every compiler.
template <int Width>
KAON_DEVICE Strip<Width> load(const double* from) {
  return *reinterpret_cast<const Strip<Width>*>(from);
}
template <int Width>
KAON_DEVICE void store(double* to, const Strip<Width>& strip) {
  *reinterpret_cast<Strip<Width>*>(to) = strip;
}
template <int Width>
KAON_DEVICE Strip<Width> all_equal(double value) {
  Strip<Width> strip;
  for (double& each : strip.at) each = value;
  return strip;
}

// The values beyond a face, `place` points into its plane.
template <int Width>
KAON_DEVICE Strip<Width> read_beyond(const Beyond& face, std::ptrdiff_t place) {
  if (face.plane == nullptr) return all_equal<Width>(face.value);
  return load<Width>(face.plane + place);
}

// One thread's points: `Rows` rows of `Width`, the first at row j and place k of each x plane. Whether some of the
// threads that march together are at a y or at a z face of the block is known before.
template <int Width, int Rows, bool is_at_y, bool is_at_z>
class March {
 public:
  KAON_DEVICE March(const SweepKernel& block, int first, int j, int k)
      : block_(block),
        i_(first),
        j_(j),
        k_(k),
        nz_(block.shape.z),
        plane_(std::ptrdiff_t{block.shape.y} * nz_),
        here_(block.now + first * plane_ + in_x_plane()),
        next_(block.next + first * plane_ + in_x_plane()) {}

  // From x plane `first` to last - 1. Returns the largest change.
  KAON_DEVICE double run(int last) {
    const int first = i_;
    if (first >= last) return 0;
    i_ > 0 ? read_plane(low_, here_ - plane_) : read_face(low_, block_.in[kXLow]);
    read_plane(center_, here_);
    read_ahead(high_, 1);
    for (; i_ < last; ++i_) {
      Strip<Width> ahead[Rows];  // on its way while this x plane is computed
      read_ahead(ahead, i_ + 2 <= last ? 2 : 1);
      relax();
      here_ += plane_, next_ += plane_;
      for (int r = 0; r < Rows; ++r) low_[r] = center_[r], center_[r] = high_[r], high_[r] = ahead[r];
    }
    if (first == 0) copy_plane(block_.out[kXLow], 0);
    if (last == block_.shape.x) copy_plane(block_.out[kXHigh], last - 1);
    return change_;
  }

 private:
  KAON_DEVICE std::ptrdiff_t in_x_plane() const { return j_ * nz_ + k_; }

  KAON_DEVICE void read_plane(Strip<Width> (&strips)[Rows], const double* from) const {
    for (int r = 0; r < Rows; ++r) strips[r] = load<Width>(from + r * nz_);
  }
  // The x plane `distance` after the current one.
  KAON_DEVICE void read_ahead(Strip<Width> (&strips)[Rows], int distance) const {
    if (i_ + distance == block_.shape.x) return read_face(strips, block_.in[kXHigh]);
    read_plane(strips, here_ + distance * plane_);
  }
  KAON_DEVICE void read_face(Strip<Width> (&strips)[Rows], const Beyond& face) const {
    for (int r = 0; r < Rows; ++r) strips[r] = read_beyond<Width>(face, in_x_plane() + r * nz_);
  }

  KAON_DEVICE std::ptrdiff_t in_y_plane() const { return i_ * nz_ + k_; }
  KAON_DEVICE std::ptrdiff_t in_z_plane(int r) const { return std::ptrdiff_t{i_} * block_.shape.y + j_ + r; }

  struct Beside {
    Strip<Width> y_low, y_high;
    double z_low[Rows], z_high[Rows];
  };
  KAON_DEVICE Beside read_beside() const {
    const bool is_at_low_y = is_at_y && j_ == 0, is_at_high_y = is_at_y && j_ + Rows == block_.shape.y;
    const bool is_at_low_z = is_at_z && k_ == 0, is_at_high_z = is_at_z && k_ + Width == nz_;
    Beside beside;
    beside.y_low = is_at_low_y ? read_beyond<Width>(block_.in[kYLow], in_y_plane()) : load<Width>(here_ - nz_);
    beside.y_high =
        is_at_high_y ? read_beyond<Width>(block_.in[kYHigh], in_y_plane()) : load<Width>(here_ + Rows * nz_);
    for (int r = 0; r < Rows; ++r) {
      const double* const row = here_ + r * nz_;
      beside.z_low[r] = is_at_low_z ? read_beyond<1>(block_.in[kZLow], in_z_plane(r)).at[0] : row[-1];
      beside.z_high[r] = is_at_high_z ? read_beyond<1>(block_.in[kZHigh], in_z_plane(r)).at[0] : row[Width];
    }
    return beside;
  }

  KAON_DEVICE void relax() {
    const Beside beside = read_beside();
    for (int r = 0; r < Rows; ++r) {
      const Strip<Width> value = relaxed(r, beside);
      store(next_ + r * nz_, value);
      copy_out(r, value);
    }
  }

  KAON_DEVICE Strip<Width> relaxed(int r, const Beside& beside) {
    const Strip<Width>& y_low = r > 0 ? center_[r > 0 ? r - 1 : 0] : beside.y_low;
    const Strip<Width>& y_high = r + 1 < Rows ? center_[r + 1 < Rows ? r + 1 : 0] : beside.y_high;
    Strip<Width> sum, value;
    bool are_plain = true;
    for (int w = 0; w < Width; ++w) {
      const double z_low = w > 0 ? center_[r].at[w > 0 ? w - 1 : 0] : beside.z_low[r];
      const double z_high = w + 1 < Width ? center_[r].at[w + 1 < Width ? w + 1 : 0] : beside.z_high[r];
      // The order of the additions is part of the result's definition.
      sum.at[w] = ((((low_[r].at[w] + high_[r].at[w]) + y_low.at[w]) + y_high.at[w]) + z_low) + z_high;
      value.at[w] = sixth_of_plain(sum.at[w]);
      are_plain &= is_plain(sum.at[w]);
    }
    if (!are_plain) {
      for (int w = 0; w < Width; ++w) value.at[w] = sum.at[w] / 6.0;
    }
    widen(r, value);
    return value;
  }

  KAON_DEVICE void widen(int r, const Strip<Width>& value) {
    for (int w = 0; w < Width; ++w) {
      const double moved = std::fabs(value.at[w] - center_[r].at[w]);
      change_ = change_ < moved ? moved : change_;
    }
  }

  KAON_DEVICE void copy_out(int r, const Strip<Width>& value) const {
    if (is_at_y && (j_ + r == 0 || j_ + r + 1 == block_.shape.y)) copy_out_y(j_ + r, value);
    if (is_at_z && (k_ == 0 || k_ + Width == nz_)) copy_out_z(r, value);
  }
  // Of its own points, when all of them are computed: within the loop this would cost more than reading them again.
  KAON_DEVICE void copy_plane(double* to, int i) const {
    if (to == nullptr) return;
    for (int r = 0; r < Rows; ++r) {
      const std::ptrdiff_t place = in_x_plane() + r * nz_;
      store(to + place, load<Width>(block_.next + i * plane_ + place));
    }
  }
  KAON_DEVICE void copy_out_y(int j, const Strip<Width>& value) const {
    if (j == 0 && block_.out[kYLow] != nullptr) store(block_.out[kYLow] + in_y_plane(), value);
    if (j + 1 == block_.shape.y && block_.out[kYHigh] != nullptr) store(block_.out[kYHigh] + in_y_plane(), value);
  }
  KAON_DEVICE void copy_out_z(int r, const Strip<Width>& value) const {
    if (k_ == 0 && block_.out[kZLow] != nullptr) block_.out[kZLow][in_z_plane(r)] = value.at[0];
    if (k_ + Width == nz_ && block_.out[kZHigh] != nullptr) block_.out[kZHigh][in_z_plane(r)] = value.at[Width - 1];
  }

  const SweepKernel& block_;
  int i_;
  const int j_, k_;
  const std::ptrdiff_t nz_, plane_;  // doubles from a row to the next, from an x plane to the next
  const double* here_;               // the first point in the current x plane
  double* next_;
  Strip<Width> low_[Rows], center_[Rows], high_[Rows];
  double change_ = 0;
};

// Part `number` of `count` nearly equal parts of the x planes.
struct Planes {
  int first, last;
  KAON_DEVICE Planes(const SweepKernel& block, unsigned number, unsigned count)
      : first(place(block, number, count)), last(place(block, number + 1, count)) {}
  KAON_DEVICE static int place(const SweepKernel& block, unsigned number, unsigned count) {
    return block.first_x + static_cast<int>(std::int64_t{block.last_x - block.first_x} * number / count);
  }
};

// One thread's share of the block. Returns the largest change that it saw.
template <int Width, int Rows, class Context>
class Share {
 public:
  KAON_DEVICE Share(const SweepKernel& block, const Context& at)
      : block_(block), planes_(block, at.block().z * at.threads().z + at.thread().z, at.blocks().z * at.threads().z) {}

  // Tile by tile of a block's threads, so that all of them take the same way.
  KAON_DEVICE double run(const Context& at) {
    const int tile_y = static_cast<int>(at.threads().y) * Rows, tile_z = static_cast<int>(at.threads().x) * Width;
    const int y_step = static_cast<int>(at.blocks().y) * tile_y, z_step = static_cast<int>(at.blocks().x) * tile_z;
    const int ny = block_.shape.y, nz = block_.shape.z;
    for (int y = static_cast<int>(at.block().y) * tile_y; y < ny; y += y_step) {
      for (int z = static_cast<int>(at.block().x) * tile_z; z < nz; z += z_step) {
        const int j = y + static_cast<int>(at.thread().y) * Rows, k = z + static_cast<int>(at.thread().x) * Width;
        const bool is_at_y = y == 0 || y + tile_y >= ny, is_at_z = z == 0 || z + tile_z >= nz;
        if (k >= nz) continue;
        if (is_at_y) {
          for (int row = j; row < j + Rows && row < ny; ++row) march<1, true, true>(row, k);
        } else {
          is_at_z ? march<Rows, false, true>(j, k) : march<Rows, false, false>(j, k);
        }
      }
    }
    return change_;
  }

 private:
  template <int ThreadRows, bool is_at_y, bool is_at_z>
  KAON_DEVICE void march(int j, int k) {
    const double moved = March<Width, ThreadRows, is_at_y, is_at_z>(block_, planes_.first, j, k).run(planes_.last);
    change_ = change_ < moved ? moved : change_;
  }

  const SweepKernel& block_;
  const Planes planes_;
  double change_ = 0;
};

}  // namespace jacobi3d
