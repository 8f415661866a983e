// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class SendRequest;

/// The data of a send from the memory of a device: that memory itself, lent until the payload ends, or a packed copy.
/// SendRequest::memory_is_free() is called, once, when the program may write there again.
runtime::Payload<std::byte> device_payload(SendRequest& send, bool must_be_copied);

}  // namespace kaon::ampi
