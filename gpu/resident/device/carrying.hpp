// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/kernels/quad.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"

namespace kaon::gpu {

template <class Piece, class Context>
KAON_DEVICE void copy_pieces(Context& at, std::byte* to, const std::byte* from, std::uint32_t pieces) {
  const auto threads = static_cast<std::uint32_t>(at.threads().volume());
  auto* const out = reinterpret_cast<Piece*>(to);
  const auto* const in = reinterpret_cast<const Piece*>(from);
  for (auto i = static_cast<std::uint32_t>(at.threads().number(at.thread())); i < pieces; i += threads) out[i] = in[i];
}

/// By all threads of a block, each a part: what they wrote is seen behind a sync.
template <class Context>
KAON_DEVICE void copy_by_block(Context& at, std::byte* to, const std::byte* from, std::uint32_t bytes) {
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (places % sizeof(CopiedQuad) == 0) return copy_pieces<CopiedQuad>(at, to, from, bytes / sizeof(CopiedQuad));
  if (places % sizeof(std::uint32_t) == 0) return copy_pieces<std::uint32_t>(at, to, from, bytes / 4);
  copy_pieces<std::byte>(at, to, from, bytes);
}

/// Copies what the host has asked for. By all threads of a block; it was written before the command was.
template <class Context>
KAON_DEVICE void copy_cargo(Context& at, const CopyCommand& copy) {
  copy_by_block(at, copy.to.get(), copy.from.get(), copy.bytes);
}

/// Tells both ends of those among the commands that were copied. By one thread, behind a sync: one fence for all, as
/// each waits for what was written to the host before.
template <class Words>
KAON_DEVICE void tell_of_cargo(const ResidentView& view, const Command* commands, unsigned count) {
  std::uint32_t cargoes = 0, last = 0;
  Words::fence(Scope::system);
  for (unsigned i = 0; i < count; ++i) {
    if (!head_of(commands[i]).is_copy()) continue;
    const auto copy = command_as<CopyCommand>(commands[i]);
    if (std::uint32_t* const done = copy.done.get(); done != nullptr) Words::set(done, 1);
    last = copy.number;
    ++cargoes;
  }
  Words::set(&view.host->carried, last);
  Words::count_relaxed(&view.shared->activity, tally::finished(cargoes));
}

/// By all threads of a block: those among the commands that are the dispatcher's to do.
template <class Words, class Context>
KAON_DEVICE void carry(Context& at, const ResidentView& view, const Command* commands, unsigned count) {
  bool has_cargo = false;
  for (unsigned i = 0; i < count; ++i) {
    if (!head_of(commands[i]).is_copy()) continue;
    copy_cargo(at, command_as<CopyCommand>(commands[i]));
    has_cargo = true;
  }
  if (!has_cargo) return;
  at.sync();
  if (at.is_first()) tell_of_cargo<Words>(view, commands, count);
}

}  // namespace kaon::gpu
