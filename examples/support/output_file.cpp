// SPDX-License-Identifier: Apache-2.0
#include "examples/support/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <kaon/kaon.hpp>

namespace examples {

void require_writable(const std::string& path) {
  std::error_code ignored;
  const bool existed = std::filesystem::exists(path, ignored);
  if (!std::ofstream(path, std::ios::app)) throw_unwritable(path);
  if (!existed) std::filesystem::remove(path, ignored);
}

void throw_unwritable(const std::string& path) {
  const int reason = errno;
  throw kaon::UsageError(fmt::format("cannot write {}: {}; give a path in a folder that exists and may be written to",
                                     path, reason != 0 ? std::strerror(reason) : "the file took no more data"));
}

}  // namespace examples
