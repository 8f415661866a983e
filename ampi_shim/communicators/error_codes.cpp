// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/error_codes.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <utility>

namespace kaon::ampi {

namespace {

constexpr int kOwnClass = -1;  // in Added: the code is a class

}  // namespace

ErrorCodes::ErrorCodes() : last_used_(MPI_ERR_LASTCODE) {}

ErrorCodes::Added* ErrorCodes::added(int code) {
  const auto place = static_cast<std::size_t>(code) - MPI_ERR_LASTCODE - 1;
  return code > MPI_ERR_LASTCODE && place < added_.size() && !added_[place].is_removed ? &added_[place] : nullptr;
}

int ErrorCodes::add(int error_class) {
  if (!free_.empty()) {
    const std::size_t place = free_.back();
    free_.pop_back();
    added_[place] = {error_class, {}};
    return MPI_ERR_LASTCODE + 1 + static_cast<int>(place);
  }
  added_.push_back({error_class, {}});
  return last_used_ = MPI_ERR_LASTCODE + static_cast<int>(added_.size());
}

void ErrorCodes::remove(Added& entry) {
  entry.is_removed = true;
  free_.push_back(static_cast<std::size_t>(&entry - added_.data()));
}

int ErrorCodes::add_class() { return add(kOwnClass); }

int ErrorCodes::add_code(int error_class) { return add(error_class); }

bool ErrorCodes::set_text(int code, std::string text) {
  Added* const entry = added(code);
  if (entry != nullptr) entry->text = std::move(text);
  return entry != nullptr;
}

std::optional<int> ErrorCodes::class_of(int code) const {
  if (!error_class_name(code).empty()) return code;
  const Added* const entry = added(code);
  if (entry == nullptr) return std::nullopt;
  return entry->error_class == kOwnClass ? code : entry->error_class;
}

std::optional<std::string> ErrorCodes::text_of(int code) const {
  const Added* const entry = added(code);
  if (entry != nullptr) return entry->text;
  if (error_class_name(code).empty()) return std::nullopt;
  std::string text = fmt::format("{}: {}", error_class_name(code), error_class_text(code));
  return code == noted_code_ && !noted_.empty() ? text + "; the last was in " + noted_ : text;
}

bool ErrorCodes::remove_class(int error_class) {
  Added* const entry = added(error_class);
  if (entry == nullptr || entry->error_class != kOwnClass || !entry->text.empty()) return false;
  const bool has_codes = std::any_of(added_.begin(), added_.end(), [error_class](const Added& code) {
    return !code.is_removed && code.error_class == error_class;
  });
  if (!has_codes) remove(*entry);
  return !has_codes;
}

bool ErrorCodes::remove_code(int code) {
  Added* const entry = added(code);
  if (entry == nullptr || entry->error_class == kOwnClass || !entry->text.empty()) return false;
  remove(*entry);
  return true;
}

bool ErrorCodes::remove_text(int code) {
  Added* const entry = added(code);
  if (entry == nullptr || entry->text.empty()) return false;
  entry->text.clear();
  return true;
}

void ErrorCodes::note(int code, std::string what) {
  noted_code_ = code;
  noted_ = std::move(what);
}

}  // namespace kaon::ampi
