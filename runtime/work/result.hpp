// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <optional>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The outcome of an operation: a value or an exception, set once.
class ResultBase {
 public:
  void fail(std::exception_ptr error) { error_ = std::move(error); }
  const std::exception_ptr& error() const { return error_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 protected:
  ResultBase() = default;
  ~ResultBase() = default;
  std::exception_ptr error_;
};

template <class T>
class Result final : public ResultBase {
 public:
  template <class... U>
  void set(U&&... value) {
    value_.emplace(std::forward<U>(value)...);
  }
  bool has_value() const { return value_.has_value(); }
  T& value() { return *value_; }
  /// Throws the exception.
  T take() {
    rethrow();
    return std::move(*value_);
  }
  void reset_value() { value_.reset(); }
  void reset() {
    reset_value();
    error_ = nullptr;
  }

 private:
  std::optional<T> value_;
};

}  // namespace kaon::runtime
