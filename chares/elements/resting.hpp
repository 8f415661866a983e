// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>

#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

/// The actions of an element at a point of rest, where it may leave its PE. A suspended coroutine cannot migrate, so it
/// names the entry that continues in its place after the move. Exactly one of the three is called, once.
class Resting {
 public:
  /// The message that makes the element go on elsewhere; what waited here has ended with this call, and this too.
  virtual Message& leave() = 0;
  /// It goes on here, soon.
  virtual void stay() = 0;
  /// It goes on here, with an error.
  virtual void fail(const std::exception_ptr& error) = 0;

 protected:
  Resting() = default;
  ~Resting() = default;
};

}  // namespace kaon::chares
