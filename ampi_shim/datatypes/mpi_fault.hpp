// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace kaon::ampi {

/// An error of the program, with the error class that the standard has for it. Functions of the interface catch it and
/// call the error handler in force.
class MpiFault : public std::runtime_error {
 public:
  MpiFault(int error_class, const std::string& text) : std::runtime_error(text), error_class_(error_class) {}
  int error_class() const { return error_class_; }

 private:
  int error_class_;
};

}  // namespace kaon::ampi
