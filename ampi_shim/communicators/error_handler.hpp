// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <memory>
#include <variant>

namespace kaon::ampi {

/// A function of the program that is called for errors with objects of one kind.
class ErrorHandler {
 public:
  template <class Handle>
  using Function = void(Handle*, int*, ...);

  template <class Handle>
  explicit ErrorHandler(Function<Handle>* function) : function_(function) {}

  /// True if the handler is for objects with such handles.
  template <class Handle>
  bool is_for() const {
    return std::holds_alternative<Function<Handle>*>(function_);
  }
  /// It must be for these. The program's function may do anything, and may change the code.
  template <class Handle>
  void call(Handle object, int& code) const {
    std::get<Function<Handle>*>(function_)(&object, &code);
  }

 private:
  std::variant<Function<MPI_Comm>*, Function<MPI_Session>*, Function<MPI_File>*, Function<MPI_Win>*> function_;
};

/// The error handler of an object: its handle, and a reference. The reference keeps a handler that the program made
/// alive after the program has freed it.
struct ErrorHandlerSlot {
  MPI_Errhandler handle = MPI_ERRHANDLER_NULL;  // null: it has none of its own
  std::shared_ptr<ErrorHandler> made;           // nullptr: a predefined one
};

}  // namespace kaon::ampi
