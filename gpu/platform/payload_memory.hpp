// SPDX-License-Identifier: Apache-2.0
// What the memory of payloads in devices belongs to, and how it comes back.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/device/device.hpp"

namespace kaon::gpu {

/// Makes a block the memory of a record, to which it comes back when the record ends.
void give_block(PayloadRecord& record, Block& block);
/// The other way round: the record has none then. The block is this device's PE's. Throws UsageError when the memory is
/// no block.
Block& take_block(PayloadRecord& record, Device& device);
/// That of a record; nullptr: its memory is none.
Block* block_of(const PayloadRecord& record);

/// Lets a record have memory of another PE's device, where it is read: what that PE has posted under the number is
/// taken away when the record has ended and no stream here reads it any more.
void borrow_memory(PayloadRecord& record, std::byte* memory, PeId from, std::uint32_t notice);
bool is_borrowed(const PayloadRecord& record);
/// Same as give_block(), for a record that has borrowed memory and was used there: both come back when it ends.
void give_copy(PayloadRecord& record, Block& block);

/// A landing in a buffer, or in registered memory, stays while the record's data has not arrived.
void hold_block(PayloadRecord& record, Block& block);
void hold_region(PayloadRecord& record, Region& region);

}  // namespace kaon::gpu
