// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.hpp"

namespace kaon::testing {

/// A root whose proc and sys say what the test writes.
class SystemRoot {
 public:
  SystemRoot() : path_(std::filesystem::temp_directory_path() / "kaon-root-XXXXXX") {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  SystemRoot(const SystemRoot&) = delete;
  SystemRoot& operator=(const SystemRoot&) = delete;
  ~SystemRoot() { std::filesystem::remove_all(path_); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path full = std::filesystem::path(path_) / file;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  [[nodiscard]] std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace kaon::testing
