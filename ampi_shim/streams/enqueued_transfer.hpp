// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/streams/program_stream.hpp"

namespace kaon::ampi {

/// A send or a receive that begins when a stream has reached the place of its call. The program waits for it on the
/// host, as for any request, or lets the stream wait.
class EnqueuedTransfer final : public Request, private RequestObserver {
 public:
  // Where there is no other side (MPI_PROC_NULL), it ends as soon as it begins.
  static EnqueuedTransfer& send(ProgramStream& stream, const std::optional<SendTo>& to, const Outgoing& data);
  static EnqueuedTransfer& receive(ProgramStream& stream, const std::optional<MatchKey>& from, const Incoming& memory);

  ProgramStream& stream() const { return stream_; }
  /// The hold waits for it instead of the program: the request has no handle from now on, and ends itself. `status`, in
  /// memory of the host that stays, gets its status with the error; nullptr: none is wanted.
  void hand_to(StreamHold& hold, MPI_Status* status);

  void cancel() override;
  std::string describe() const override;

  // The stream's.
  void begin_now();
  gpu::Position position;  // where it begins
  EnqueuedTransfer* next = nullptr;

 private:
  EnqueuedTransfer(ProgramStream& stream, const Datatype* type);
  void completed(Request& request) override;
  void end(int error);
  void give_to_hold();

  ProgramStream& stream_;
  TypeRef type_;
  std::optional<SendTo> to_;
  Outgoing data_;
  std::optional<MatchKey> from_;
  Incoming memory_;
  StreamHold* hold_ = nullptr;
  MPI_Status* status_place_ = nullptr;
  bool has_begun_ = false;
};

}  // namespace kaon::ampi
