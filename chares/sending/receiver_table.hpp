// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

class ElementTable;

/// The table of the array of `message`, which begins to run, if the receiving element is on this PE. nullptr: the
/// message was forwarded or dropped, or waits until this PE has created the array.
ElementTable* table_of_receiver(Message& message, Pe& pe);

}  // namespace kaon::chares
