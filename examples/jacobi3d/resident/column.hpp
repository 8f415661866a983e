// SPDX-License-Identifier: Apache-2.0
// How a thread relaxes one point of each of some x planes: several of them are read before the first is written, so
// that they come together. Device code.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "examples/jacobi3d/device/sixth.hpp"
#include "examples/jacobi3d/resident/resident_points.hpp"
#include "kaon/gpu/kernels/device_memory.hpp"

namespace jacobi3d {

// Where a multiplication does not do. Apart, because it is seldom run and needs much.
KAON_DEVICE __attribute__((noinline)) inline double divided_by_6(double number) { return number / 6.0; }

using kaon::gpu::in_device_memory;

class Column {
 public:
  // Of the x planes from `first` to last - 1; `place`: of the point in each of them.
  KAON_DEVICE Column(const ResidentPoints& block, std::int32_t step, int first, int last, int place)
      : block_(block),
        step_(static_cast<std::uint32_t>(step)),
        place_(place),
        y_(block.cut.by_z.divide(place)),
        z_(place - y_ * block.shape.z),
        first_(first),
        last_(last),
        plane_(block.cut.points) {}

  // Returns the largest change.
  KAON_DEVICE double relax() {
    begin();
    int left = last_ - first_;
    for (; left >= kBatch; left -= kBatch) relax_planes<true>(left);
    if (left > 0) relax_planes<false>(left);
    copy_second_faces();
    return change_;
  }

 private:
  static constexpr int kXLow = static_cast<int>(number(Face::x_low)), kXHigh = kXLow + 1;
  static constexpr int kYLow = static_cast<int>(number(Face::y_low)), kYHigh = kYLow + 1;
  static constexpr int kZLow = static_cast<int>(number(Face::z_low)), kZHigh = kZLow + 1;
  static constexpr int kBatch = 4;

  // Values beside the points, one in each x plane; and where a neighbor wants those of the points, nullptr: nowhere.
  template <class Number>
  struct Line {
    Number* at;
    int step;
  };

  KAON_DEVICE void begin() {
    const int ny = block_.shape.y, nz = block_.shape.z;
    const std::ptrdiff_t begin = std::ptrdiff_t{first_} * plane_ + place_;
    here_ = block_.values[step_ % 2] + begin;
    next_ = block_.values[(step_ + 1) % 2] + begin;
    above_ = last_ < block_.shape.x ? here_ + std::ptrdiff_t{last_ - first_} * plane_ : beyond(kXHigh, place_, 0).at;
    y_low_ = beside(y_ > 0, here_ - nz, kYLow), y_high_ = beside(y_ + 1 < ny, here_ + nz, kYHigh);
    z_low_ = beside(z_ > 0, here_ - 1, kZLow), z_high_ = beside(z_ + 1 < nz, here_ + 1, kZHigh);
    y_out_ = outside(y_ == 0, y_ + 1 == ny, kYLow), z_out_ = outside(z_ == 0, z_ + 1 == nz, kZLow);
    low_ = *in_device_memory(first_ > 0 ? here_ - plane_ : beyond(kXLow, place_, 0).at);
    center_ = *in_device_memory(here_);
  }
  // The next planes of the `left` ones: kBatch of them, or, unless it is whole, fewer, the last ones. What is behind
  // the end is read as the last plane is, and not used.
  template <bool is_whole>
  KAON_DEVICE void relax_planes(int left) {
    double x_high[kBatch] = {}, sum[kBatch], y_high[kBatch], z_low[kBatch], z_high[kBatch];
    for (int i = 0; i < kBatch; ++i) {
      const bool is_last = is_whole ? i + 1 == kBatch && left == kBatch : i + 1 >= left;
      x_high[i] = *in_device_memory(is_last ? above_ : here_ + std::ptrdiff_t{i + 1} * plane_);
      const bool goes_on = is_whole || !is_last;
      sum[i] = read(y_low_, goes_on), y_high[i] = read(y_high_, goes_on);
      z_low[i] = read(z_low_, goes_on), z_high[i] = read(z_high_, goes_on);
    }
    here_ += std::ptrdiff_t{kBatch} * plane_;
    double value[kBatch];
    bool are_plain = true;
    for (int i = 0; i < kBatch; ++i) {
      const double before = i > 1 ? x_high[i > 1 ? i - 2 : 0] : i > 0 ? center_ : low_;
      // The order of the additions is part of the result's definition.
      sum[i] = ((((before + x_high[i]) + sum[i]) + y_high[i]) + z_low[i]) + z_high[i];
      value[i] = sixth_of_plain(sum[i]);
      are_plain &= is_plain(sum[i]);
    }
    if (!are_plain)
      for (int i = 0; i < kBatch; ++i) value[i] = divided_by_6(sum[i]);
    if (left == last_ - first_ && first_ == 0) copy_to(kXLow, place_, value[0]);
    if (left <= kBatch && last_ == block_.shape.x)
      copy_to(kXHigh, place_, is_whole ? value[kBatch - 1] : left == 3 ? value[2] : left == 2 ? value[1] : value[0]);
    for (int i = 0; i < kBatch && (is_whole || i < left); ++i) {
      write(value[i]);
      const double moved = std::fabs(value[i] - (i > 0 ? x_high[i > 0 ? i - 1 : 0] : center_));
      change_ = change_ < moved ? moved : change_;
    }
    low_ = x_high[kBatch - 2];
    center_ = x_high[kBatch - 1];
  }
  KAON_DEVICE static double read(Line<const double>& line, bool goes_on) {
    const double value = *in_device_memory(line.at);
    if (goes_on) line.at += line.step;
    return value;
  }
  KAON_DEVICE void write(double value) {
    *in_device_memory(next_) = value;
    next_ += plane_;
    for (Line<double>* const line : {&y_out_, &z_out_}) {
      if (line->at == nullptr) continue;
      *in_device_memory(line->at) = value;
      line->at += line->step;
    }
  }

  // The values beyond a face, from those of an x plane on; `point`: of the column in these.
  KAON_DEVICE Line<const double> beyond(int face, int point, int x) const {
    const Side& side = block_.sides[face];
    return {side.in[step_ % 2] + (point * side.point + x * side.row), side.row};
  }
  KAON_DEVICE Line<const double> beside(bool is_inside, const double* inside, int face) const {
    const Line<const double> outside = beyond(face, point_in(face), first_);
    return {is_inside ? inside : outside.at, is_inside ? plane_ : outside.step};
  }
  KAON_DEVICE Line<double> outside(bool is_low, bool is_high, int low_face) const {
    const int face = is_low ? low_face : low_face + 1;
    double* const out = is_low || is_high ? block_.sides[face].out[(step_ + 1) % 2] : nullptr;
    const int row = block_.sides[face].row;
    return {out != nullptr ? out + (point_in(face) + first_ * row) : nullptr, row};
  }
  // Of the column in the planes at the faces of y and z.
  KAON_DEVICE int point_in(int face) const { return face < kZLow ? z_ : y_; }
  KAON_DEVICE void copy_to(int face, int place, double value) const {
    if (double* const out = block_.sides[face].out[(step_ + 1) % 2]; out != nullptr)
      in_device_memory(out)[place] = value;
  }
  // Of a block that is one point thick.
  KAON_DEVICE void copy_second_faces() const {
    if (block_.shape.y == 1) copy_column(kYHigh);
    if (block_.shape.z == 1) copy_column(kZHigh);
  }
  KAON_DEVICE void copy_column(int face) const {
    const double* const values = block_.values[(step_ + 1) % 2] + place_;
    for (int x = first_; x < last_; ++x)
      copy_to(face, point_in(face) + x * block_.sides[face].row, values[std::ptrdiff_t{x} * plane_]);
  }

  const ResidentPoints& block_;
  const std::uint32_t step_;
  const int place_, y_, z_;
  const int first_, last_;  // x planes
  const int plane_;         // points
  const double* here_;
  double* next_;
  const double* above_;  // the values behind the last x plane
  Line<const double> y_low_, y_high_, z_low_, z_high_;
  Line<double> y_out_, z_out_;
  double low_, center_;
  double change_ = 0;
};

}  // namespace jacobi3d
