// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/ampi_shim/collectives/piece.hpp"

namespace kaon::ampi {

/// Whom the messages of a collective go to.
enum class Side : std::uint8_t {
  peers,        // the communicator's group; of an intercommunicator the remote one
  local_group,  // of an intercommunicator, the own group
};

/// Told of the end of what was started; never while it is being started.
class Completion {
 public:
  /// `error`: MPI_SUCCESS, or the class of what went wrong.
  virtual void completed(int error) = 0;

 protected:
  ~Completion() = default;
};

/// Whoever started a schedule; told of its end, never while it is being started.
class ScheduleOwner {
 public:
  virtual void ended(int error) = 0;
  /// True if functions of the program may be called here and now: where a message has arrived, another rank may run.
  virtual bool may_call_program() = 0;
  /// The next step calls one, and may not: go_on() is to be called where it may.
  virtual void held_up() = 0;

 protected:
  ~ScheduleOwner() = default;
};

/// Carries the messages of schedules. Messages of one tag between two ranks do not overtake each other.
class Transport {
 public:
  /// True: done at once, and `completion` is not told.
  virtual bool send(Side side, int peer, int tag, const Piece& piece, Completion& completion) = 0;
  virtual bool receive(Side side, int peer, int tag, const Piece& piece, Completion& completion) = 0;
  /// Copies, like a message to oneself.
  virtual bool copy(const Piece& from, const Piece& to, Completion& completion);

 protected:
  ~Transport() = default;
};

/// One rank's part of a collective: an ordered list of messages, copies and reductions. Messages between two fences are
/// under way together; a step after a fence begins when all steps before it have ended. A schedule is written once and
/// run by whoever completes a message. So blocking, non-blocking and persistent forms differ only in how they start.
/// Memory that the steps name must stay until the end; scratch memory is the schedule's own.
class Schedule final : public Completion {
 public:
  Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  ~Schedule() = default;

  // Writing it down.
  void send(int peer, const Piece& piece, Side side = Side::peers);
  void receive(int peer, const Piece& piece, Side side = Side::peers);
  void copy(const Piece& from, const Piece& to);
  /// into[i] = from[i] operation into[i]
  void combine(const Operation& operation, const void* from, const Piece& into);
  /// Calls `function(argument)`; in its order among the steps.
  void call(void (*function)(void*), void* argument);
  void fence();
  void* scratch(MPI_Count bytes);
  /// Room for so many elements, as a piece that begins where its first element would.
  Piece scratch_like(MPI_Count count, const Datatype& type);

  /// True if `test(piece)` holds for memory of a step.
  template <class Test>
  bool has_piece(Test&& test) const {
    return std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
      return (step.from.type != nullptr && test(step.from)) || (step.to.type != nullptr && test(step.to));
    });
  }

  // Running it, as often as wanted, one time after the other.
  /// True: it has ended already.
  bool start(Transport& transport, int tag, ScheduleOwner& owner);
  /// Goes on where it is held up; false: it is not.
  bool go_on();
  int error() const { return error_; }
  /// The first one counts.
  void note_error(int error) {
    if (error_ == MPI_SUCCESS) error_ = error;
  }
  /// Forgets all steps; keeps memory for the next.
  void clear();

  void completed(int error) override;

 private:
  enum class Kind : std::uint8_t { send, receive, copy, combine, call, fence };
  struct Step {
    Kind kind;
    Side side = Side::peers;
    int peer = 0;
    Piece from;
    Piece to;
    const Operation* operation = nullptr;
    void (*function)(void*) = nullptr;
  };

  /// Told of the end of a copy that takes a while: the steps behind it wait for it, and for no message before it.
  struct CopyEnd final : Completion {
    explicit CopyEnd(Schedule& schedule) : schedule(schedule) {}
    void completed(int error) override { schedule.copy_has_ended(error); }
    Schedule& schedule;
  };

  void copy_has_ended(int error);
  bool walk();
  bool do_step(const Step& step);
  void do_locally(const Step& step);
  bool must_be_held_up(const Step& step);

  std::vector<Step> steps_;
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
  std::size_t next_ = 0;
  // Messages under way, and one while the steps are walked: whoever takes it to 0 walks on.
  int under_way_ = 0;
  int tag_ = 0;
  int error_ = MPI_SUCCESS;
  bool held_up_ = false;
  CopyEnd copy_end_{*this};
  Transport* transport_ = nullptr;
  ScheduleOwner* owner_ = nullptr;
};

}  // namespace kaon::ampi
