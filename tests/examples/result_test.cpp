// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/result.hpp"

#include <png.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "examples/support/picture.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace {

using examples::Picture;
using jacobi3d::Result;
using jacobi3d::Seconds;

// A path of this process's own below the system's temporary folder, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("kaon_" + std::to_string(getpid()) + "_" + name)) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Pixels {
  int edge = 0;
  std::vector<std::uint8_t> bytes;  // red, green, blue
  int brightness(int y, int z) const {
    const auto at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(edge) + static_cast<std::size_t>(z));
    return bytes[at] + bytes[at + 1] + bytes[at + 2];
  }
};

Pixels read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
  image.format = PNG_FORMAT_RGB;
  Pixels pixels{static_cast<int>(image.width), std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  REQUIRE(image.height == image.width);
  REQUIRE(png_image_finish_read(&image, nullptr, pixels.bytes.data(), 0, nullptr) != 0);
  return pixels;
}

}  // namespace

TEST_CASE("times follow from seconds, iterations and cells", "[jacobi3d]") {
  const Result result = jacobi3d::make_result(0.5, 2.0, {2, Seconds(3.0)}, {10, Seconds(4.0)}, 1000);
  CHECK(result.iterations == 12);
  CHECK(result.ms_per_iteration == 400.0);
  CHECK(result.cells_per_s == 2500.0);
  CHECK(result.warm_up == 2);
  CHECK(result.warm_up_ms == 3000.0);
}

TEST_CASE("a run that ends while it warms up is told by what it did", "[jacobi3d]") {
  const Result result = jacobi3d::make_result(0.5, 2.0, {2, Seconds(3.0)}, {}, 1000);
  CHECK(result.iterations == 2);
  CHECK(result.ms_per_iteration == 1500.0);
}

TEST_CASE("the result line tells neighboring doubles apart", "[jacobi3d]") {
  const Result one = jacobi3d::make_result(0.1, 100.0, {}, {1, Seconds(1)}, 1);
  const Result other = jacobi3d::make_result(0.1, std::nextafter(100.0, 200.0), {}, {1, Seconds(1)}, 1);
  CHECK(jacobi3d::result_line(one) != jacobi3d::result_line(other));
}

TEST_CASE("the JSON file holds the result, digit for digit", "[jacobi3d]") {
  const TemporaryFile file("result.json");
  const Result result{123, 1.0 / 3, 1e6 / 7, 0.25, 4e9 / 3, 5, 0.75};
  jacobi3d::write_json(result, file.path());
  const auto object = nlohmann::json::parse(std::ifstream(file.path()));
  CHECK(object.size() == 7);
  CHECK(object.at("iterations").get<std::int64_t>() == 123);
  CHECK(object.at("change").get<double>() == result.change);
  CHECK(object.at("sum").get<double>() == result.sum);
  CHECK(object.at("ms_per_iteration").get<double>() == 0.25);
  CHECK(object.at("cells_per_s").get<double>() == result.cells_per_s);
  CHECK(object.at("warm_up").get<int>() == 5);
  CHECK(object.at("warm_up_ms").get<double>() == 0.75);
}

TEST_CASE("a file that takes no data is an error, not a lost result", "[jacobi3d]") {
  CHECK_THROWS_AS(jacobi3d::write_json(Result{}, "/dev/full"), kaon::runtime::UsageError);
  CHECK_THROWS_AS(Picture(4, 4).write("/dev/full"), kaon::runtime::UsageError);
  CHECK_THROWS_AS(Picture(4, 4).write("/no/such/folder/a.png"), kaon::runtime::UsageError);
}

TEST_CASE("a picture is put together from parts, brighter where it is warmer", "[jacobi3d]") {
  const TemporaryFile file("slice.png");
  Picture picture(4, 4);
  picture.place(0, 0, 2, std::vector<double>{0.0, 0.1, 0.2, 0.3});
  picture.place(2, 2, 2, std::vector<double>{0.7, 0.8, 0.9, 1.0});
  picture.write(file.path());
  const Pixels pixels = read_png(file.path());
  CHECK(pixels.edge == 512);
  const int scale = pixels.edge / 4;
  int before = -1;
  for (const auto& [y, z] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}}) {
    CAPTURE(y, z);
    CHECK(pixels.brightness(y * scale, z * scale) > before);
    before = pixels.brightness(y * scale, z * scale);
  }
  CHECK(pixels.brightness(0, 3 * scale) == pixels.brightness(0, 0));  // no part covers it: 0
}
