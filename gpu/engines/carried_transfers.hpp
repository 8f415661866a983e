// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/carrier.hpp"
#include "kaon/gpu/engines/carried_engine.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// Has a payload written where its receiver has lent memory, or tells it where the payload lies; and keeps the memory
/// until that was read.
class CarriedSend final : public Transfer {
 public:
  static void start(CarriedEngine& engine, const Passage& passage);
  CarriedSend(CarriedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {}

  // --- of CarriedEngine
  /// False: there is no room for its notice.
  bool post();
  bool is_read();
  void has_been_read();

 private:
  ~CarriedSend() override;
  void tell();
  void choose_way();
  bool put();
  void give_up() noexcept override { end_and_tell(); }  // the run ends: the memory is free

  CarriedEngine& engine_;
  PayloadNotice notice_;
  std::uint32_t* read_ = nullptr;  // by the receiver's kernel
  Carrier* carrier_ = nullptr;     // this device's, which writes it
  std::uint32_t number_ = 0;
};

/// Lets a payload come into memory that was lent for it, or be carried into its memory here.
class CarriedReceive final : public Transfer {
 public:
  static void start(CarriedEngine& engine, const Passage& passage);
  CarriedReceive(CarriedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {}

  // --- of CarriedEngine
  bool finds_notice();
  void hear();
  bool is_here() { return engine_.places().has_come(notice_.lent); }
  void has_come();
  bool is_there() const { return carrier_->has_carried(number_); }
  void has_landed();

 private:
  ~CarriedReceive() override;
  void listen();
  void end_if_over();
  void fetch();
  void bring(const std::byte* from);
  void copy(const std::byte* from);
  void copied();
  void land();

  CarriedEngine& engine_;
  PayloadNotice notice_;
  std::uint32_t* read_ = nullptr;  // the sender's; nullptr: it is not told, as this PE has lent it memory
  Carrier* carrier_ = nullptr;
  std::uint32_t number_ = 0;
};

}  // namespace kaon::gpu
