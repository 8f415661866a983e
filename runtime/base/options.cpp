// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/options.hpp"

#include <CLI/CLI.hpp>
#include <string_view>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/hints.hpp"
#include "kaon/runtime/base/number_between.hpp"
#include "kaon/runtime/base/testing_settings.hpp"
#include "kaon/runtime/base/wrong_variables.hpp"

namespace kaon::runtime {
namespace {

void declare_scheduling(CLI::App& app, Options& options) {
  app.add_option("--pes", options.pes, "PEs (threads) in each process; default: the cores it may use")
      ->envname("KAON_PES")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--serialize-always", options.serialize_always, "pack and unpack every message, also within a process")
      ->envname("KAON_SERIALIZE_ALWAYS");
  app.add_flag("--pin,!--no-pin", options.pin, "bind each PE to a core of its own when there are enough")
      ->envname("KAON_PIN");
  app.add_option("--spin-us", options.spin_us, "microseconds an idle PE looks for work before it sleeps")
      ->envname("KAON_SPIN_US")
      ->check(number_between(0, 1e9));
  app.add_option("--coalesce-us", options.coalesce_us,
                 "microseconds that messages wait for others that go the same way")
      ->envname("KAON_COALESCE_US")
      ->check(number_between(0, 1e9));
  app.add_option("--queue-limit-mib", options.queue_limit_mib,
                 "MiB a PE may hold for slow receivers; default: its share of half the memory, at most 4096")
      ->envname("KAON_QUEUE_LIMIT_MIB")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24));
  app.add_option("--credits", options.credits, "batches under way from one PE to another process' PE")
      ->envname("KAON_CREDITS")
      ->check(CLI::Range(2, 16384));
  app.add_option("--deadlock-s", options.deadlock_s,
                 "seconds until a run whose parts all wait for each other is ended; 0: never")
      ->envname("KAON_DEADLOCK_S")
      ->check(number_between(0, 1e9));
  app.add_option("--helper-threads", options.helper_threads, "most threads of a process for functions that block")
      ->envname("KAON_HELPER_THREADS")
      ->check(CLI::Range(1, 4096));
}

void declare_devices(CLI::App& app, Options& options) {
  app.add_option("--device", options.device,
                 "what runs kernels: cuda, hip, host (threads that emulate a device), or auto: host where there is no "
                 "device")
      ->envname("KAON_DEVICE")
      ->check(CLI::IsMember({"auto", "cuda", "hip", "host"}));
  app.add_option("--device-memory-mib", options.device_memory_mib,
                 "MiB of each device that a process may take; 0: all there is")
      ->envname("KAON_DEVICE_MEMORY_MIB")
      ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 30));
  app.add_option("--device-timeout", options.device_timeout_s,
                 "seconds that a device may go on at the end of the run before it is given up")
      ->envname("KAON_DEVICE_TIMEOUT")
      ->check(number_between(0, 1e6));
  app.add_option("--transport", options.transport,
                 "of device memory between processes: direct, or staged through the host")
      ->envname("KAON_TRANSPORT")
      ->check(CLI::IsMember({"direct", "staged"}));
}

// In the order in which --help names them.
void declare(CLI::App& app, Options& options) {
  app.set_help_flag();
  app.allow_extras();
  declare_scheduling(app, options);
  declare_devices(app, options);
  app.add_option("--interface", options.interface, "of the network between hosts; with one host none is used")
      ->envname("KAON_INTERFACE");
  app.add_flag("--explain-transfers", options.explain_transfers, "print at the end which way payloads took, and why")
      ->envname("KAON_EXPLAIN_TRANSFERS");
  app.add_flag("--crash-report,!--no-crash-report", options.crash_report,
               "say what ran, and the stack, when the process crashes")
      ->envname("KAON_CRASH_REPORT");
  app.add_flag("--label-output", options.label_output, "begin each line that kaon::print() prints with its PE")
      ->envname("KAON_LABEL_OUTPUT");
  app.add_option("--log-level", options.log_level, "trace, debug, info, warn, error or off")
      ->envname("KAON_LOG_LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
}

constexpr const char* kVariables = R"(Variables of the environment without an option, for tests and comparisons:
  KAON_HOST_DEVICE            of --device host: devices=2,seed=7,delay_us=50,memory_mib=64,poison=0,peers=0,foreign=pool
                              (see gpu/backends/driver.hpp)
  KAON_CARRY_UP_TO            bytes of a payload that kernels of resident schedulers carry; 0: they carry none;
                              default: 4096
  KAON_FETCH_UP_TO            bytes of a payload that its receiver fetches out of the sender's device; 0: the network
                              moves all; default: 1048576
)";

}  // namespace

ParsedCommandLine parse_command_line(int argc, const char* const* argv) {
  ParsedCommandLine parsed;
  CLI::App app;
  declare(app, parsed.options);
  try {
    app.parse(argc, argv);
    refuse_wrong_variables(app);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    throw UsageError(text_of(error, app, words) + " (try --help)");
  }
  parsed.options.payload_counter_bits = testing_settings().payload_counter_bits;
  if (app.count("--queue-limit-mib") == 0) parsed.options.queue_limit_mib = 0;
  parsed.arguments = app.remaining();
  for (const std::string& argument : parsed.arguments)
    if (argument == "--processes" || argument.starts_with("--processes=")) throw UsageError(hint_at_kaonrun(argument));
  return parsed;
}

bool is_option(const std::string& name) {
  Options options;
  CLI::App app;
  declare(app, options);
  return app.get_option_no_throw(name) != nullptr;
}

std::vector<std::string> option_variables() {
  Options options;
  CLI::App app;
  declare(app, options);
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) names.push_back(option->get_envname());
  const std::string_view others = kVariables;
  for (auto at = others.find("KAON_"); at != others.npos; at = others.find("KAON_", at + 1))
    names.emplace_back(others.substr(at, others.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at) - at));
  return names;
}

std::string options_help() {
  Options options;
  CLI::App app;
  declare(app, options);
  const std::string text = app.help();
  return "Options of the runtime" + text.substr(std::min(text.find(':', text.find("Options")), text.size())) +
         kVariables;
}

}  // namespace kaon::runtime
