// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/exchange/network_end.hpp"
#include "kaon/runtime/exchange/payload_counters.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

class PayloadTransfers;

/// A payload on its way to another process, behind the batch that announces it.
struct PayloadSend : Work {
  PayloadRecord* record;
  PayloadTransfers* transfers;
  std::uint32_t counter;
  Route route;
};

/// The payloads of one PE to and from other processes: each takes the port, or with device memory the accelerator.
class PayloadTransfers {
 public:
  PayloadTransfers(Scheduler& scheduler, NetworkEnd& network, int counter_bits)
      : scheduler_(scheduler), network_(network), counters_(counter_bits) {}
  PayloadTransfers(const PayloadTransfers&) = delete;
  PayloadTransfers& operator=(const PayloadTransfers&) = delete;

  /// One that holds the record until end().
  PayloadSend& make_send(PayloadRecord& record, PeId to, std::uint32_t counter);
  /// Ends by itself when the payload has left.
  void start(PayloadSend& send, PeId to);
  /// Also of one that was not started.
  void end(PayloadSend& send);
  /// Receives an announced payload that has its memory. True: it is here already and `done` is not used.
  bool receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done);

  Scheduler& scheduler() { return scheduler_; }
  bool is_open() const { return network_.port != nullptr; }
  PayloadCounters& counters() { return counters_; }
  TransferReport& report() { return report_; }

 private:
  Scheduler& scheduler_;
  NetworkEnd& network_;
  PayloadCounters counters_;
  TransferReport report_;
};

}  // namespace kaon::runtime
