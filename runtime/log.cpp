// SPDX-License-Identifier: Apache-2.0
#include "runtime/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace kaon {
namespace {

spdlog::logger& logger() {
  static const auto instance = spdlog::stderr_color_mt("kaon");
  return *instance;
}

}  // namespace

void set_up_log(const std::string& level, int process) {
  logger().set_level(spdlog::level::from_str(level == "warn" ? "warning" : level));
  logger().set_pattern("kaon: process " + std::to_string(process) + ": %l: %v");
}

void log_debug(std::string_view text) { logger().debug("{}", text); }
void log_info(std::string_view text) { logger().info("{}", text); }
void log_warn(std::string_view text) { logger().warn("{}", text); }

}  // namespace kaon
