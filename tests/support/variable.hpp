// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>

namespace kaon::testing {

/// A variable of the environment that is set while the object lives; the programs that the test starts inherit it.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace kaon::testing
