// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "kaon/runtime/launch/connection.hpp"
#include "kaon/runtime/launch/frame_body.hpp"
#include "kaon/runtime/launch/interruption.hpp"
#include "kaon/runtime/launch/wake.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::launch {

// The side of a process that kaonrun has started. A thread of its own shows that the process lives, also while all PEs
// compute, and ends it at once when the launcher says so or is gone.
class SocketBootstrap final : public Bootstrap {
 public:
  // Asks kaonrun who it is. Throws UsageError when the other end of the socket is not kaonrun.
  explicit SocketBootstrap(Descriptor socket);
  ~SocketBootstrap() override;

  [[nodiscard]] const Seat& seat() const override { return welcome_.seat; }
  [[nodiscard]] const Secret& secret() const override { return welcome_.secret; }
  [[nodiscard]] SharedFolder shared_folder() const override { return welcome_.folder; }
  void put(std::uint64_t program_hash, std::vector<std::byte> blob) override;
  void fence(std::chrono::milliseconds timeout) override;
  std::vector<std::byte> get(int process) override;
  void arrive() override;
  [[nodiscard]] bool is_released() override;
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Time = std::chrono::steady_clock::time_point;

  void send(const Lock&, const Frame& frame);
  [[noreturn]] void throw_missing(Lock& lock, std::chrono::milliseconds timeout);
  void finish_sending(const Lock&);

  void serve();
  void wait_for_events(Time until);
  bool serve_socket();  // false: nothing more will come
  void handle(const Frame& frame);
  void beat();
  [[noreturn]] void end(int code, std::string_view reason) const;

  Wake wake_;  // something is unsent, or the thread has to stop
  Interruption interruption_;

  std::mutex mutex_;  // of all below, up to the atomics; never held while waiting for the other side
  std::condition_variable changed_;
  Connection connection_;
  const WelcomeBody welcome_;
  bool all_put_ = false;
  std::optional<std::vector<int>> missing_;      // an answer, when there was a question
  std::map<int, std::vector<std::byte>> blobs_;  // by process, of those that were asked for
  bool is_aborting_ = false;

  // true: all processes are in the barrier. Set once, with release, so that who sees it by acquire has it after all
  // that the service thread did before.
  std::atomic<bool> is_released_ = false;
  // true: the destructor waits for the thread. Only a hint beside wake_, so relaxed.
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
};

}  // namespace kaon::launch
