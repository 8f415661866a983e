// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

namespace kaon::ampi {

/// Keeps an object while it is used: by a request that is under way, for one. Its class counts by retain() and
/// release().
template <class Counted>
class CountedRef {
 public:
  CountedRef() = default;
  explicit CountedRef(const Counted& object) : object_(&object) { object.retain(); }
  CountedRef(const CountedRef& other) : object_(other.object_) {
    if (object_ != nullptr) object_->retain();
  }
  CountedRef(CountedRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  CountedRef& operator=(CountedRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~CountedRef() {
    if (object_ != nullptr) object_->release();
  }

  explicit operator bool() const { return object_ != nullptr; }
  const Counted& operator*() const { return *object_; }
  const Counted* operator->() const { return object_; }

 private:
  const Counted* object_ = nullptr;
};

}  // namespace kaon::ampi
