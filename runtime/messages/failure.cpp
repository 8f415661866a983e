// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/failure.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

enum Kind : std::uint8_t { kOther, kUsage, kLostPeer, kCorrupt, kOutOfMemory };

Kind kind_of(const std::exception& error) {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return kUsage;
  if (dynamic_cast<const CorruptMessage*>(&error) != nullptr) return kCorrupt;
  if (dynamic_cast<const LostPeer*>(&error) != nullptr) return kLostPeer;
  if (dynamic_cast<const OutOfMemory*>(&error) != nullptr) return kOutOfMemory;
  return kOther;
}

std::exception_ptr make(std::uint8_t kind, const std::string& text) {
  switch (kind) {
    case kUsage:
      return std::make_exception_ptr(UsageError(text));
    case kLostPeer:
      return std::make_exception_ptr(LostPeer(text));
    case kCorrupt:
      return std::make_exception_ptr(CorruptMessage(text));
    case kOutOfMemory:
      return std::make_exception_ptr(OutOfMemory(text));
    default:
      return std::make_exception_ptr(RemoteError(text));
  }
}

}  // namespace

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

void Failure::describe(std::uint8_t& kind, std::string& text) const {
  kind = kOther;
  text = text_of(error_);
  try {
    std::rethrow_exception(error_);
  } catch (const std::exception& exception) {
    kind = kind_of(exception);
  } catch (...) {  // no std::exception: its text says so
  }
}

void Failure::restore(std::uint8_t kind, const std::string& text) { error_ = make(kind, text); }

}  // namespace kaon::runtime
