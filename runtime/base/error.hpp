// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

// Errors by what the caller can do about them; never thrown as such.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The program or its command line is wrong: change it. Nothing else was harmed.
class UsageError : public Error {
 public:
  using Error::Error;
};

// Another process of the run is gone or does not answer: this run cannot go on.
class LostPeer : public Error {
 public:
  using Error::Error;
};

// The bytes of another process make no sense, so it cannot be trusted any more.
class CorruptMessage : public LostPeer {
 public:
  using LostPeer::LostPeer;
};

// A limit on memory, or on ports of TCP, was reached: use more processes, or raise the limit.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

// An entry of another process threw something of its own, which is known here by its text alone.
class RemoteError : public Error {
 public:
  using Error::Error;
};

// Nothing is under way, and somebody waits: the program waits for something that does not come.
class Deadlock : public Error {
 public:
  using Error::Error;
};

inline constexpr int kExitOther = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitLostPeer = 3;
inline constexpr int kExitOutOfMemory = 4;
inline constexpr int kExitDeadlock = 5;

// The code with which a process ends because of `error`.
int exit_code(const std::exception& error) noexcept;
// What the user is told of it.
std::string error_text(const std::exception& error);

}  // namespace kaon::runtime
