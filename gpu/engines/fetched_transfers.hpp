// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/engines/fetched_engine.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// Tells where a payload lies, and keeps its memory until it was fetched.
class FetchedSend final : public Transfer {
 public:
  static void start(FetchedEngine& engine, const Passage& passage);
  FetchedSend(FetchedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {}

  // --- of FetchedEngine
  /// False: there is no room for its notice.
  bool post();
  bool is_heard_of() { return state() != NoticeBoard::State::posted; }
  void has_been_heard_of();
  bool is_given_back() { return state() == NoticeBoard::State::taken_away; }
  void has_been_given_back() { end_and_tell(); }

 private:
  ~FetchedSend() override;
  NoticeBoard::State state() const;
  void tell();
  void give_up() noexcept override { end_and_tell(); }  // the run ends: the memory is free

  FetchedEngine& engine_;
  std::uint32_t number_ = 0;      // of its notice
  std::uint64_t lent_bytes_ = 0;  // not 0: its receiver may keep them
};

/// Fetches a payload when it hears where that lies, or lets it be read there.
class FetchedReceive final : public Transfer {
 public:
  static void start(FetchedEngine& engine, const Passage& passage);
  FetchedReceive(FetchedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {}

  // --- of FetchedEngine
  bool finds_notice();
  void fetch();

 private:
  ~FetchedReceive() override { engine_.forget(*this); }
  void borrow();
  void copy();
  void arrive(Position behind);

  FetchedEngine& engine_;
  NoticeBoard::Posted posted_{};
};

/// The end of a payload that was read in its sender's memory: tells so when no stream reads it any more.
class FetchedReturn final : public Activity {
 public:
  static void start(Device& device, NoticeBoard board, std::uint32_t notice, Position last_use) noexcept;
  FetchedReturn(Device& device, NoticeBoard board, std::uint32_t notice)
      : device_(device), board_(board), notice_(notice) {}

 private:
  ~FetchedReturn() override;

  Device& device_;
  NoticeBoard board_;
  std::uint32_t notice_;
};

}  // namespace kaon::gpu
