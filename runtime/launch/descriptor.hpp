// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// Owns one file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  void close() noexcept { Descriptor{std::move(*this)}; }

 private:
  int number_ = -1;
};

}  // namespace kaon::launch
