// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/alone_bootstrap.hpp"

#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/launch/final_words.hpp"
#include "kaon/runtime/launch/make_secret.hpp"

namespace kaon::launch {

namespace {

// Of a reader that takes nothing, when the run fails.
constexpr std::chrono::milliseconds kPatience{10000};

}  // namespace

AloneBootstrap::AloneBootstrap() : secret_(make_secret()) {}

void AloneBootstrap::put(std::uint64_t, std::vector<std::byte> blob) { blob_ = std::move(blob); }

void AloneBootstrap::fence(std::chrono::milliseconds) {}

std::vector<std::byte> AloneBootstrap::get(int process) {
  if (process != 0) throw UsageError("there is no process " + std::to_string(process) + ": this one runs alone");
  return blob_;
}

void AloneBootstrap::abort(int code, std::string_view text) {
  flush_output(kPatience);
  say_as({}, text);
  _exit(code);
}

}  // namespace kaon::launch
