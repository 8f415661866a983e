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
  bool is_fetched();
  void has_been_fetched();

 private:
  ~FetchedSend() override;
  void tell();
  void give_up() noexcept override { end_and_tell(); }  // the run ends: the memory is free

  FetchedEngine& engine_;
  std::uint32_t number_ = 0;  // of its notice
};

/// Fetches a payload when it hears where that lies.
class FetchedReceive final : public Transfer {
 public:
  static void start(FetchedEngine& engine, const Passage& passage);
  FetchedReceive(FetchedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {}

  // --- of FetchedEngine
  bool finds_notice();
  void fetch();

 private:
  ~FetchedReceive() override { engine_.forget(*this); }
  void listen();
  void fetched();

  FetchedEngine& engine_;
  NoticeBoard::Posted posted_{};
};

}  // namespace kaon::gpu
