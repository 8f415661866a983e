// SPDX-License-Identifier: Apache-2.0
// Runtime::transfers(): asks one PE after the other.
#include "kaon/chares/runtime.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace transfer_handlers {  // not unnamed: entries are told apart by their names

void report(Pe& pe, PeId asker, ReplyTo slot) {
  TransferReport copy = pe.transfers();
  Reply<TransferReport>::send(pe, asker, slot, std::move(copy));
}

}  // namespace transfer_handlers

namespace {

class [[nodiscard]] ReportAwaiter final : public ReplyWaiter {
 public:
  ReportAwaiter(Pe& pe, PeId asked) : pe_(pe), asked_(asked) {}
  ReportAwaiter(const ReportAwaiter&) = delete;
  ReportAwaiter& operator=(const ReportAwaiter&) = delete;
  ~ReportAwaiter() {
    if (task_) pe_.replies().abandon(reply_);
  }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> task) {
    task_ = task;
    reply_ = pe_.replies().open(*this);
    pe_.made();
    Handler<&transfer_handlers::report, Counting::counted>::send(pe_, asked_, pe_.id(), reply_);
  }
  TransferReport await_resume() { return std::move(report_); }
  void replied(void* report) override {
    report_ = std::move(*static_cast<TransferReport*>(report));
    std::exchange(task_, {}).resume();
  }

 private:
  Pe& pe_;
  PeId asked_;
  ReplyTo reply_;
  TransferReport report_;
  std::coroutine_handle<> task_;
};

}  // namespace

Task<TransferReport> Runtime::transfers() {
  TransferReport all;
  for (PeId asked = 0; asked < pes(); ++asked) {
    const TransferReport one = co_await ReportAwaiter(pe_, asked);
    all.add(one);
  }
  co_return all;
}

}  // namespace kaon::chares
