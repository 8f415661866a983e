// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <unordered_map>

#include "kaon/ampi_shim/interface/message_arguments.hpp"

namespace kaon::ampi {

/// Memory that a program has attached for buffered sends. What these send is copied to memory of our own, which goes
/// as the message does; this says only how much a program may send at once, so that one that attaches too little is
/// told, and gives the memory back.
struct AttachedBuffer {
  void* memory = nullptr;
  MPI_Count bytes = 0;
  bool is_attached = false;
};

/// Forgets the buffer of a session or communicator that is freed.
void forget_buffer(MPI_Session session);
void forget_buffer(MPI_Comm comm);

/// Throws MpiFault when no buffer has room for a message.
void require_buffer(const Caller& caller, const Outgoing& data);

/// Throws MpiFault for a receive that has ended with an error.
void require_received(int error, const MPI_Status& status);

}  // namespace kaon::ampi
