// SPDX-License-Identifier: Apache-2.0
// How one thread sweeps: it holds a few points of a y-z plane and marches along x, so that each value is read from
// memory once and serves three x planes. What it needs from beside its points, other threads of its block have just
// read: those loads find their lines in the first-level cache. Device code.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "examples/jacobi3d/sixth.hpp"
#include "examples/jacobi3d/sweep.kernels.hpp"

namespace kaon::jacobi3d {

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

// Values beside the points of one thread, x plane after x plane. They lie in the block or, for threads at a face, in
// the plane beyond it: the same code walks through both.
struct Walk {
  const double* from = nullptr;
  std::ptrdiff_t x_step = 0;    // to the next x plane
  std::ptrdiff_t row_step = 0;  // to the next row of the thread
  bool is_memory = false;       // else one value everywhere

  template <int Width>
  KAON_DEVICE Strip<Width> read(int row, const Beyond& beyond) const {
    Strip<Width> strip = all_equal<Width>(beyond.value);
    if (is_memory) strip = load<Width>(from + row * row_step);
    return strip;
  }
};

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
        next_(block.next + first * plane_ + in_x_plane()) {
    if constexpr (is_at_y) find_y_walks();
    if constexpr (is_at_z) find_z_walks();
  }

  // From x plane `first` to last - 1. Returns the largest change.
  KAON_DEVICE double run(int last) {
    if (i_ >= last) return 0;
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
    Walk walk = beyond(face, in_x_plane(), 0);
    walk.row_step = nz_;
    for (int r = 0; r < Rows; ++r) strips[r] = walk.template read<Width>(r, face);
  }

  KAON_DEVICE Walk inside(std::ptrdiff_t offset) const { return {here_ + offset, plane_, nz_, true}; }
  KAON_DEVICE static Walk beyond(const Beyond& face, std::ptrdiff_t offset, std::ptrdiff_t x_step) {
    if (face.plane == nullptr) return {};
    return {face.plane + offset, x_step, 1, true};
  }
  KAON_DEVICE void find_y_walks() {
    const std::ptrdiff_t in_face = i_ * nz_ + k_;
    y_low_ = j_ > 0 ? inside(-nz_) : beyond(block_.in[kYLow], in_face, nz_);
    y_high_ = j_ + Rows < block_.shape.y ? inside(nz_ * Rows) : beyond(block_.in[kYHigh], in_face, nz_);
  }
  KAON_DEVICE void find_z_walks() {
    const std::ptrdiff_t ny = block_.shape.y, in_face = i_ * ny + j_;
    z_low_ = k_ > 0 ? inside(-1) : beyond(block_.in[kZLow], in_face, ny);
    z_high_ = k_ + Width < nz_ ? inside(Width) : beyond(block_.in[kZHigh], in_face, ny);
  }

  struct Beside {
    Strip<Width> y_low, y_high;
    double z_low[Rows], z_high[Rows];
  };
  KAON_DEVICE Beside read_beside() {
    Beside beside;
    if constexpr (is_at_y) {
      beside.y_low = y_low_.template read<Width>(0, block_.in[kYLow]);
      beside.y_high = y_high_.template read<Width>(0, block_.in[kYHigh]);
      y_low_.from += y_low_.x_step, y_high_.from += y_high_.x_step;
    } else {
      beside.y_low = load<Width>(here_ - nz_), beside.y_high = load<Width>(here_ + Rows * nz_);
    }
    for (int r = 0; r < Rows; ++r) {
      const double* const row = here_ + r * nz_;
      beside.z_low[r] = is_at_z ? z_low_.template read<1>(r, block_.in[kZLow]).at[0] : row[-1];
      beside.z_high[r] = is_at_z ? z_high_.template read<1>(r, block_.in[kZHigh]).at[0] : row[Width];
    }
    if constexpr (is_at_z) z_low_.from += z_low_.x_step, z_high_.from += z_high_.x_step;
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
    if (i_ == 0 || i_ + 1 == block_.shape.x) copy_out_x(in_x_plane() + r * nz_, value);
    if (is_at_y && (j_ + r == 0 || j_ + r + 1 == block_.shape.y)) copy_out_y(j_ + r, value);
    if (is_at_z && (k_ == 0 || k_ + Width == nz_)) copy_out_z(j_ + r, value);
  }
  KAON_DEVICE void copy_out_x(std::ptrdiff_t place, const Strip<Width>& value) const {
    if (i_ == 0 && block_.out[kXLow] != nullptr) store(block_.out[kXLow] + place, value);
    if (i_ + 1 == block_.shape.x && block_.out[kXHigh] != nullptr) store(block_.out[kXHigh] + place, value);
  }
  KAON_DEVICE void copy_out_y(int j, const Strip<Width>& value) const {
    const std::ptrdiff_t place = i_ * nz_ + k_;
    if (j == 0 && block_.out[kYLow] != nullptr) store(block_.out[kYLow] + place, value);
    if (j + 1 == block_.shape.y && block_.out[kYHigh] != nullptr) store(block_.out[kYHigh] + place, value);
  }
  KAON_DEVICE void copy_out_z(int j, const Strip<Width>& value) const {
    const std::ptrdiff_t place = std::ptrdiff_t{i_} * block_.shape.y + j;
    if (k_ == 0 && block_.out[kZLow] != nullptr) block_.out[kZLow][place] = value.at[0];
    if (k_ + Width == nz_ && block_.out[kZHigh] != nullptr) block_.out[kZHigh][place] = value.at[Width - 1];
  }

  const SweepKernel& block_;
  int i_;
  const int j_, k_;
  const std::ptrdiff_t nz_, plane_;  // doubles from a row to the next, from an x plane to the next
  const double* here_;               // the first point in the current x plane
  double* next_;
  Walk y_low_, y_high_, z_low_, z_high_;
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

}  // namespace kaon::jacobi3d
