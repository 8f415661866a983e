// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>

namespace kaon::runtime {
namespace {

// Not in spdlog's registry, which belongs to the program.
spdlog::logger& logger() {
  static spdlog::logger instance("kaon", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  return instance;
}

}  // namespace

void set_up_log(const std::string& level, int process) {
  logger().set_level(spdlog::level::from_str(level == "warn" ? "warning" : level));
  logger().set_pattern("kaon: process " + std::to_string(process) + ": %l: %v");
}

void log_debug(std::string_view text) { logger().debug("{}", text); }
void log_info(std::string_view text) { logger().info("{}", text); }
void log_warn(std::string_view text) { logger().warn("{}", text); }

}  // namespace kaon::runtime
