// SPDX-License-Identifier: Apache-2.0
#include "examples/support/picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "examples/support/output_file.hpp"

namespace examples {
namespace {

constexpr int kSmallestEdge = 512;  // pixels

using Color = std::array<double, 3>;  // red, green, blue, 0 to 255

// Evenly spaced over 0..1 and rising in brightness, so that the picture also reads in grey.
constexpr std::array<Color, 6> kColors{
    {{0, 0, 4}, {66, 10, 104}, {147, 38, 103}, {221, 81, 58}, {252, 165, 10}, {252, 255, 164}}};

void append_color(std::vector<std::uint8_t>& pixels, double value) {
  const double position = std::clamp(value, 0.0, 1.0) * (kColors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), kColors.size() - 2);
  const double weight = position - static_cast<double>(below);
  for (std::size_t c = 0; c < 3; ++c)
    pixels.push_back(static_cast<std::uint8_t>(
        std::lround(kColors[below][c] + weight * (kColors[below + 1][c] - kColors[below][c]))));
}

}  // namespace

Picture::Picture(int rows, int columns)
    : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

void Picture::place(int first_y, int first_z, int columns, std::span<const double> values) {
  const auto width = static_cast<std::size_t>(columns), edge = static_cast<std::size_t>(columns_);
  std::size_t to = static_cast<std::size_t>(first_y) * edge + static_cast<std::size_t>(first_z);
  for (; values.size() >= width; values = values.subspan(width), to += edge)
    std::copy_n(values.begin(), width, values_.begin() + static_cast<std::ptrdiff_t>(to));
}

void Picture::write(const std::string& path) const {
  const int scale = std::max(1, kSmallestEdge / std::max(rows_, columns_));
  const int height = rows_ * scale, width = columns_ * scale;
  std::vector<std::uint8_t> pixels;
  pixels.reserve(3 * static_cast<std::size_t>(height) * static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y)
    for (int z = 0; z < width; ++z)
      append_color(pixels, values_[static_cast<std::size_t>(y / scale) * static_cast<std::size_t>(columns_) +
                                   static_cast<std::size_t>(z / scale)]);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  // Not by name: libpng would remove what it cannot write to, also a device.
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw_unwritable(path);
  const bool is_written = png_image_write_to_stdio(&image, file, 0, pixels.data(), 0, nullptr) != 0;
  if (std::fclose(file) != 0 || !is_written) throw_unwritable(path);
}

}  // namespace examples
