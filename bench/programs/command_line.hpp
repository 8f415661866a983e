// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

namespace kaon::bench {

/// The options of a measuring program. Lists are given with commas; the help shows defaults, and Kaon's own options.
class CommandLine {
 public:
  explicit CommandLine(const std::string& about) : app_(about) {}

  /// A number or a list of numbers within bounds.
  template <class Number>
  void number(const std::string& name, std::vector<Number>& numbers, std::type_identity_t<Number> least,
              std::type_identity_t<Number> most, const std::string& help = "") {
    app_.add_option(name, numbers, help)->delimiter(',')->check(CLI::Range(least, most))->capture_default_str();
  }
  template <class Number>
  void number(const std::string& name, Number& number, std::type_identity_t<Number> least,
              std::type_identity_t<Number> most, const std::string& help = "") {
    app_.add_option(name, number, help)->check(CLI::Range(least, most))->capture_default_str();
  }
  /// Sizes of messages of whole words.
  template <class Bytes>
  void sizes(std::vector<Bytes>& sizes, const std::string& help) {
    number("--sizes", sizes, 8, Bytes{1} << 30, help);
  }
  void milliseconds(double& milliseconds, const std::string& help = "of each point") {
    number("--milliseconds", milliseconds, 0.1, 1e5, help);
  }
  template <class Value>
  void value(const std::string& name, Value& value, const std::string& help) {
    app_.add_option(name, value, help)->capture_default_str();
  }
  void flag(const std::string& name, bool& flag, const std::string& help = "") { app_.add_flag(name, flag, help); }

  /// Same as kaon::parse(), with Kaon's own options in the help.
  std::optional<int> parse(std::vector<std::string> arguments) {
    app_.footer(kaon::options_help());
    return kaon::parse(app_, std::move(arguments));
  }

 private:
  CLI::App app_;
};

}  // namespace kaon::bench
