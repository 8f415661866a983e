// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/request.hpp"
#include "kaon/ampi_shim/windows/window.hpp"

namespace kaon::ampi {

/// Elements in the window of a target, which the program names.
struct TargetPlace {
  int target = 0;  // member
  MPI_Aint displacement = 0;
  MPI_Count count = 0;
  const Datatype* type = nullptr;
};

/// A call that gives a request to the program has one of these; it is nullptr in others.
using RequestPlace = Request**;

// One-sided operations, on the program's strand. They throw MpiFault, and have done nothing then. Where this process
// reaches the target's memory they are complete when they return; elsewhere they leave as messages.
void put(Window& window, const Outgoing& origin, const TargetPlace& place, RequestPlace request = nullptr);
void get(Window& window, const Incoming& result, const TargetPlace& place, RequestPlace request = nullptr);
void accumulate(Window& window, const Outgoing& origin, const TargetPlace& place, const Operation& operation,
                RequestPlace request = nullptr);
/// MPI_NO_OP leaves `origin` alone.
void get_accumulate(Window& window, const Outgoing& origin, const Incoming& result, const TargetPlace& place,
                    const Operation& operation, RequestPlace request = nullptr);
/// Compares and swaps one element of a predefined type.
void compare_and_swap(Window& window, const void* origin, const void* compare, void* result, const TargetPlace& place);

}  // namespace kaon::ampi
