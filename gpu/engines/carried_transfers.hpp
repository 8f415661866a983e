// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/carrier.hpp"
#include "kaon/gpu/engines/carried_engine.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// Tells a receiver where a payload lies, and keeps the memory until it was read there.
class CarriedSend final : public Transfer {
 public:
  static void start(CarriedEngine& engine, const Passage& passage);
  CarriedSend(CarriedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {
    engine_.note_sends(1);
  }

  // --- of CarriedEngine
  bool is_read() const;
  void has_been_read();

 private:
  ~CarriedSend() override;
  void tell();
  void give_up() noexcept override { end_and_tell(); }  // the run ends: the memory is free

  CarriedEngine& engine_;
  CarriedNotice notice_;
  std::uint32_t* read_ = nullptr;
};

/// Lets a payload be carried into its memory here.
class CarriedReceive final : public Transfer {
 public:
  static void start(CarriedEngine& engine, const Passage& passage);
  CarriedReceive(CarriedEngine& engine, const Passage& passage) : Transfer(engine, passage), engine_(engine) {}

  // --- of CarriedEngine
  bool is_there() const { return carrier_->has_carried(number_); }
  void has_landed();

 private:
  ~CarriedReceive() override;
  void listen();
  void hear();
  void fetch();
  void copy(const std::byte* from);
  void copied();

  CarriedEngine& engine_;
  CarriedNotice notice_;
  std::uint32_t* read_ = nullptr;
  Carrier* carrier_ = nullptr;
  std::uint32_t number_ = 0;
};

}  // namespace kaon::gpu
