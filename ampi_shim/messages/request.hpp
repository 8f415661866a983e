// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "kaon/ampi_shim/messages/status.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"

namespace kaon::ampi {

class Request;

/// Told of the end of a request, once, on the PE of its rank, where any rank or none may be running: it must not wait,
/// and runs no code of the program.
class RequestObserver {
 public:
  virtual void completed(Request& request) = 0;

 protected:
  ~RequestObserver() = default;
};

/// Something that a rank has begun and that ends later: what MPI_Request names. One of the program's making is in the
/// memory of its PE and goes when the program is told of its end or frees it; others may lie anywhere.
///
///   inactive -- start() --> active -- complete() --> complete -- (told) --> inactive, if persistent, or gone
class Request {
 public:
  enum class State : std::uint8_t { inactive, active, complete };

  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  virtual ~Request() { static_cast<volatile std::uintptr_t&>(handle_) = 0; }

  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory, std::size_t bytes) noexcept;
  static void* operator new(std::size_t, void* place) noexcept { return place; }

  /// A handle for the program, from now on.
  std::uintptr_t give_handle();
  /// The one of a handle; nullptr: none, or it is gone.
  static Request* alive_at(const void* handle);

  State state() const { return state_; }
  bool is_active() const { return state_ == State::active; }
  bool is_complete() const { return state_ == State::complete; }
  bool is_persistent() const { return is_persistent_; }

  /// The status, as far as the request has completed.
  const MPI_Status& status() const { return status_; }
  int error() const { return status_.MPI_ERROR; }

  /// Starts a persistent request, which is inactive, once more.
  virtual void start() {}
  /// Asks that it ends without effect. What cannot be cancelled any more ends as it does.
  virtual void cancel() {}
  /// Called once before the program is told of the end, on a strand of the rank: may run code of the program, and
  /// change the status. Gives MPI_SUCCESS or the error of that.
  virtual int about_to_tell() { return MPI_SUCCESS; }
  /// Throws MpiFault when the program may not free it now.
  virtual void check_free() const {}
  /// True if the program names the request once more to complete it, after it has been freed.
  virtual bool is_completed_by_handle() const { return false; }
  /// Describes the wait for people: "for a message from rank 2 with tag 7".
  virtual std::string describe() const = 0;

  /// The program has been told of its end: one that is persistent is inactive again, others go.
  void was_told();
  /// The program has freed it: it goes now, or when it completes.
  void free();

  /// nullptr: nobody. Only of one that is active.
  void observe(RequestObserver* observer) { observer_ = observer; }
  /// The communicator whose error handler hears of its errors: the interface's.
  void* owner = nullptr;

 protected:
  explicit Request(bool is_persistent) : is_persistent_(is_persistent) {}

  /// It is under way from now on.
  void begin() {
    state_ = State::active;
    status_ = empty_status();
  }
  /// It has ended. May destroy it, if the program has freed it.
  void complete(int error);
  MPI_Status& mutable_status() { return status_; }

 private:
  static constexpr std::uintptr_t kMagic = 0x7165726e6f616b01;

  std::uintptr_t handle_ = 0;  // with the kind, as in Handled; 0: the program has none
  State state_ = State::inactive;
  bool is_persistent_;
  bool is_freed_ = false;
  RequestObserver* observer_ = nullptr;
  MPI_Status status_ = empty_status();
};

/// One that is complete from the start: of a send or receive from MPI_PROC_NULL.
class CompleteRequest final : public Request {
 public:
  explicit CompleteRequest(const MPI_Status& status, bool is_persistent = false);
  void start() override;
  std::string describe() const override { return "for nothing"; }

 private:
  MPI_Status result_;
};

/// Begun by MPI_Grequest_start, completed by the program itself.
class GeneralizedRequest final : public Request {
 public:
  GeneralizedRequest(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                     MPI_Grequest_cancel_function* cancel, void* extra_state);
  ~GeneralizedRequest() override;
  void completed_by_program() { complete(MPI_SUCCESS); }
  bool is_completed_by_handle() const override { return true; }
  void cancel() override;
  int about_to_tell() override;
  std::string describe() const override { return "for a generalized request that MPI_Grequest_complete ends"; }

 private:
  MPI_Grequest_query_function* query_;
  MPI_Grequest_free_function* free_;
  MPI_Grequest_cancel_function* cancel_;
  void* extra_state_;
};

}  // namespace kaon::ampi
