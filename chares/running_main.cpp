// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/running_main.hpp"

#include <cstdio>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace {

Task<int> explain_transfers(Runtime runtime, int code) {
  const TransferReport report = co_await runtime.transfers();
  std::printf("%s", to_text(report).c_str());
  co_return code;
}

}  // namespace

RunningMain::RunningMain(Pe& pe, const MainTask& task, RunEnd end)
    : Root(pe), pe_(pe), end_(end), runtime_(pe), frame_(task(runtime_).release()) {
  run = [](Work& self, Pe&) { static_cast<RunningMain&>(self).has_ended(); };
}

RunningMain::~RunningMain() {
  runtime::destroy_frame(frame_);
  if (report_) runtime::destroy_frame(report_);
}

void RunningMain::start(Handle task) {
  Root* const before = pe_.switch_root(this);
  task.promise().start(task, *this, this);
  pe_.switch_root(before);
}

void RunningMain::has_ended() noexcept {
  try {
    end((report_ ? report_ : frame_).promise().take());
  } catch (...) {
    if (end_ == RunEnd::stop) return pe_.fail(std::current_exception(), name());
    error_ = std::current_exception();
    end_run(pe_, kExitOther, end_);
  }
}

void RunningMain::end(int code) {
  if (end_ == RunEnd::pause || report_ || !pe_.process().options().explain_transfers) return end_run(pe_, code, end_);
  report_ = explain_transfers(runtime_, code).release();
  start(report_);
}

}  // namespace kaon::chares
