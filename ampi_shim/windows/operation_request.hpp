// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/request.hpp"
#include "kaon/ampi_shim/windows/operation_message.hpp"
#include "kaon/ampi_shim/windows/window.hpp"

namespace kaon::ampi {

/// A one-sided operation that has left as a message, until the target has answered. Of a call that gives no request to
/// the program it is freed from the start.
class OperationRequest final : public Request, private Work {
 public:
  /// `result`: the program's memory for what the operation gets; of count 0 where it gets nothing.
  /// `has_handle`: the program gets the request, and with it an error; else the window keeps that.
  OperationRequest(Window& window, int target, const Incoming& result, bool has_handle);

  /// Sends it, whose answer ends this. The caller has filled in what the operation does.
  void send(OperationHeader header, std::vector<std::int64_t>&& layout, Payload<std::byte>&& data);
  std::string describe() const override;

  /// The target has done it, or found an error of this class. Throws CorruptMessage if no operation waits for that.
  static void is_answered(Pe& pe, ReplyTo operation, int error, Payload<std::byte>&& result);

 private:
  struct Answered {};

  void end(int error, Payload<std::byte>&& result);

  Window& window_;
  int target_;
  Incoming result_;
  bool has_handle_;
  TypeRef type_;
  Result<Answered> answered_;
};

/// Does what has come, at its target, and sends the answer. In the order of its origin, for accumulates.
void perform(Window& window, ArrivedOperation&& operation);

}  // namespace kaon::ampi
