// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "kaon/runtime/memory/pool.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Something on one PE that ends itself when its work is done. It lies in the PE's pool, and in a list while it is
/// under way, so that whoever clears the list, at the end of the run or of an element, leaves nothing behind.
class Activity : public Work {
 public:
  class List {
   public:
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    bool empty() const { return first_ == nullptr; }
    bool has_one() const { return first_ != nullptr && first_->next_ == nullptr; }
    /// Gives up what is under way.
    void clear() noexcept {
      while (first_ != nullptr) first_->give_up();
    }
    template <class Visit>
    void each(Visit visit) const {
      for (const Activity* at = first_; at != nullptr; at = at->next_) visit(*at);
    }

   private:
    friend class Activity;
    Activity* first_ = nullptr;
  };

  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  template <class A, class... Arguments>
  static A& make(List& list, Pool& pool, Arguments&&... arguments) {
    void* memory = pool.allocate(sizeof(A));
    try {
      A& activity = *new (memory) A(std::forward<Arguments>(arguments)...);
      activity.enlist(list, pool, sizeof(A));
      return activity;
    } catch (...) {
      pool.release(memory, sizeof(A));
      throw;
    }
  }

  /// Destroys it. On the PE that made it.
  void end() noexcept {
    Pool& pool = *pool_;
    const std::size_t bytes = bytes_;
    *link_ = next_;
    if (next_ != nullptr) next_->link_ = link_;
    this->~Activity();
    pool.release(this, bytes);
  }
  /// Ends it before its work is done, by default like end().
  virtual void give_up() noexcept { end(); }

 protected:
  Activity() = default;
  virtual ~Activity() = default;
  Pool& pool() { return *pool_; }

 private:
  void enlist(List& list, Pool& pool, std::size_t bytes) {
    pool_ = &pool;
    bytes_ = static_cast<std::uint32_t>(bytes);
    next_ = list.first_;
    link_ = &list.first_;
    if (next_ != nullptr) next_->link_ = &next_;
    list.first_ = this;
  }

  Activity* next_ = nullptr;
  Activity** link_ = nullptr;  // the pointer that leads here
  Pool* pool_ = nullptr;
  std::uint32_t bytes_ = 0;
};

}  // namespace kaon::runtime
