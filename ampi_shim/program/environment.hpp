// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

namespace kaon::ampi {

/// The environment of one rank. The array is the rank's own; strings are shared with the process until replaced. The
/// program may put another array in the place of ours (`environ = ...`), so functions work on what its variable names.
class Environment {
 public:
  /// Copies the array. `variable` is where the program has `environ`, null when it never names it.
  void start(const char* const* strings, char*** variable);
  ~Environment();
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  char** array() const { return *variable_; }
  char* get(std::string_view name) const;
  /// Puts "NAME=value" in, which stays the caller's.
  void put(char* string);
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  void clear();
  /// While another rank has the variable, the array that belongs to this one is kept here.
  void take_out() { own_variable_ = *variable_; }
  void bring_in() { *variable_ = own_variable_; }

 private:
  char** find(std::string_view name) const;

  std::vector<char*> strings_;  // ends with a null
  std::vector<char*> made_;     // by set(): never freed before the end, as the program may hold them
  char** own_variable_ = nullptr;
  char*** variable_ = &own_variable_;
};

}  // namespace kaon::ampi
