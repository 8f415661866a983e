// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/ports/memory_region.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Whose devices a process uses: the network reaches their memory by this vendor's means. `none`: it uses none, or an
/// emulation, whose memory is the host's.
enum class DeviceVendor : std::uint8_t { none, nvidia, amd };

/// Which of a port's two lanes a batch takes. Control batches (credits, location, quiescence, exit) have
/// receives of their own and are never held back by flow control.
enum class Lane : std::uint8_t { data, control };

/// Bytes of one batch on the wire, at most. Fits one fragment of UCX's shared memory transports.
inline constexpr std::size_t kBatchBytes = 8000;

/// The receiver of a port's batches and completions, on the side of its PE.
class PortClient {
 public:
  /// A batch from another process. `bytes` is valid during the call only. Throws CorruptMessage.
  virtual void batch_arrived(Lane lane, std::span<const std::byte> bytes) = 0;
  /// A transfer has ended: runs the Work that its starter gave.
  virtual void completed(Work& done) = 0;

 protected:
  ~PortClient() = default;
};

/// The network end of one PE. All calls come from the thread that drives this PE.
///
/// The starter of a transfer gives a Work, and keeps it and the memory alive until the port has passed it to
/// PortClient::completed: inside progress() or as the port ends, never inside the call that started the transfer.
class Port {
 public:
  virtual ~Port() = default;

  /// Starts sending at most kBatchBytes. True: the memory is free again already and `done` is not used.
  virtual bool send_batch(PeId to, Lane lane, std::span<const std::byte> bytes, Work& done) = 0;

  /// Sends a payload under the tag (payload, this PE, counter). True as for send_batch. Any size, also 0.
  virtual bool send_payload(PeId to, std::uint32_t counter, PayloadMemory memory, Work& done) = 0;

  /// Receives the payload that PE `from` sends under `counter`. Its size is memory.bytes exactly.
  /// True: it is there already and `done` is not used.
  virtual bool receive_payload(PeId from, std::uint32_t counter, PayloadMemory memory, Work& done) = 0;

  /// Payloads are of this epoch of the run from now on; 0 at first. Those of the epochs before meet no receive any
  /// more: what still comes of them is dropped, so that its senders are done with it. Their receives are completed,
  /// most of them without a payload.
  virtual void begin_epoch(std::uint8_t epoch) = 0;

  /// True if device memory goes to `to` without passing through the host. Known when one transfer has ended.
  virtual bool maps_device_memory(PeId to) {
    (void)to;
    return true;
  }

  /// Makes transfers advance and hands over what arrived. True when anything happened. Never blocks.
  virtual bool progress() = 0;

  /// Becomes readable when an armed port has something to progress; -1 when the port needs no waiting.
  virtual int event_fd() const = 0;

  /// Asks for a signal on event_fd at the next event. False: something is there already, progress again.
  virtual bool arm() = 0;

  /// True while sends started here have not completed.
  virtual bool is_sending() const = 0;
};

/// Moves bytes between the processes of a run; opens one port for each PE of this process.
class Machine {
 public:
  virtual ~Machine() = default;
  /// Called by the thread that will drive PE `pe`.
  virtual std::unique_ptr<Port> open_port(PeId pe, PortClient& client) = 0;
  /// Returns what other processes need to reach the ports opened here. Put it into the bootstrap when all are open.
  virtual std::vector<std::byte> contact() = 0;
  /// Describes, for people, what moves the bytes.
  virtual std::string describe() const { return {}; }
  /// Ends what the network knows of memory that is about to go. No transfer in it is under way.
  virtual void forget_region(MemoryRegion& region) { (void)region; }
};

struct MachineSettings {
  DeviceVendor vendor = DeviceVendor::none;  // the network reaches the memory of its devices; the same in all processes
  std::string interface;                     // of the network between hosts; with one host none is used
};

class Bootstrap;
class Roster;
/// The machine this program was linked with (machine_ucx). `bootstrap` and `roster` outlive it.
/// Contacts of peers are taken from `bootstrap` at the first send to them.
std::unique_ptr<Machine> make_machine(Bootstrap& bootstrap, const Roster& roster, MachineSettings settings);

/// Gives a signal of crashes its default action again if the machine's library has taken it without being asked to.
void release_signal_of_machine(int signal);

}  // namespace kaon::runtime
