// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "tests/ampi_shim/random_programs/families.hpp"
#include "tests/ampi_shim/random_programs/incoming.hpp"
#include "tests/ampi_shim/random_programs/plan.hpp"
#include "tests/ampi_shim/random_programs/requests.hpp"

/// A type of an integer with a gap behind it, as long.
class SpacedInteger {
 public:
  SpacedInteger();
  ~SpacedInteger() { MPI_Type_free(&type_); }
  SpacedInteger(const SpacedInteger&) = delete;
  SpacedInteger& operator=(const SpacedInteger&) = delete;

  MPI_Datatype of(bool is_spaced) const { return is_spaced ? type_ : MPI_INT; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// A rank's sends, in every mode.
class Sender {
 public:
  Sender(const Families& families, const Templates& templates, int rank, Requests& requests);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void send(const Message& message);

 private:
  struct Persistent {
    Message message;
    std::vector<int> memory;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  bool start_persistent(const Message& message);
  void send_blocking(const Message& message, int to, MPI_Comm comm);
  void send_nonblocking(const Message& message, int to, MPI_Comm comm);

  const Families& families_;
  Requests& requests_;
  SpacedInteger types_;
  std::vector<char> buffer_;  // of buffered sends
  std::vector<Persistent> persistent_;
};

/// A rank's receives and probes. What they get goes to the model.
class Receiver {
 public:
  Receiver(const Families& families, int rank, Requests& requests, Random& plan);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  /// A receive that returns at once; only when incoming.can_post().
  void post(Incoming& incoming, Random& random);
  /// One message, by any function that waits for it; only when incoming.can_post().
  void receive(Incoming& incoming, Random& random);
  /// Receives that get nothing: some are posted, and all that there are taken back.
  void post_idle(Random& random);
  void cancel_idle();

 private:
  struct Landing;
  struct Persistent;

  std::shared_ptr<Landing> make_landing(const Incoming& incoming, Random& random) const;
  bool post_persistent(Incoming& incoming);
  void probe_and_receive(Incoming& incoming, const Pattern& pattern, Landing& landing, bool is_loop);
  void match_and_receive(Incoming& incoming, const Pattern& pattern, Landing& landing, bool is_loop);
  MPI_Comm comm_of(const Pattern& pattern) const;

  const Families& families_;
  Requests& requests_;
  SpacedInteger types_;
  std::vector<std::unique_ptr<Persistent>> persistent_;
  std::vector<MPI_Request> idle_;
};
