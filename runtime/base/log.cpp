// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>

namespace kaon::runtime {
namespace {

// Until it is set up it has the level that Options have.
spdlog::logger make_logger() {
  spdlog::logger made("kaon", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  made.set_level(spdlog::level::warn);
  return made;
}

// Not in spdlog's registry, which belongs to the program.
spdlog::logger& logger() {
  static spdlog::logger instance = make_logger();
  return instance;
}

}  // namespace

void set_up_log(const std::string& level, int process) {
  logger().set_level(spdlog::level::from_str(level == "warn" ? "warning" : level));
  logger().set_pattern("kaon: process " + std::to_string(process) + ": %l: %v");
}

bool is_logged(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return logger().should_log(spdlog::level::debug);
    case LogLevel::info:
      return logger().should_log(spdlog::level::info);
    case LogLevel::warn:
      return logger().should_log(spdlog::level::warn);
  }
  return false;
}

void log_debug(std::string_view text) { logger().debug("{}", text); }
void log_info(std::string_view text) { logger().info("{}", text); }
void log_warn(std::string_view text) { logger().warn("{}", text); }
void log_error(std::string_view text) { logger().error("{}", text); }

}  // namespace kaon::runtime
