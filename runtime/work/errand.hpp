// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Something on one PE that ends itself when its work is done. While it is under way it is in its PE's list, so that
/// the end of the run, or an exception, leaves none behind.
class Errand {
 public:
  class List {
   public:
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    /// Ends what is under way.
    void clear() noexcept {
      while (first_ != nullptr) first_->abandon();
    }

   private:
    friend class Errand;
    Errand* first_ = nullptr;
  };

  Errand(const Errand&) = delete;
  Errand& operator=(const Errand&) = delete;

 protected:
  explicit Errand(List& list) noexcept : list_(list), next_(list.first_) {
    if (next_ != nullptr) next_->previous_ = this;
    list.first_ = this;
  }
  ~Errand() {
    (previous_ != nullptr ? previous_->next_ : list_.first_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
  }
  /// Destroys the object and releases its memory.
  virtual void abandon() noexcept = 0;

 private:
  List& list_;
  Errand* previous_ = nullptr;
  Errand* next_;
};

}  // namespace kaon::runtime
