// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/wire/commands.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace kaon::gpu;

TEST_CASE("a command has its kind in its first word, and zeros behind its struct", "[gpu][ring]") {
  RaiseCommand raise;
  raise.by = 7;
  const Command command = to_command(raise);
  CHECK(head_of(command).parts() == 0);
  CHECK_FALSE(head_of(command).is_copy());
  CHECK(std::count(command.words, command.words + Command::kWords, 0U) == Command::kWords - 1);
  CHECK(head_of(to_command(CopyCommand{})).is_copy());
}

TEST_CASE("an entry's number, its workers and its object come out of a command as they went in", "[gpu][ring]") {
  int object = 0;
  EntryCommand entry{{task::workers(3, task::kMostWorkers) | task::kUnlock}, WireAddress<void>::of(&object), 9};
  entry.arguments[7] = 5;
  const auto taken = command_as<EntryCommand>(to_command(entry));
  CHECK(taken.head.entry() == task::kUnlock);
  CHECK(taken.head.first_worker() == 3);
  CHECK(taken.head.parts() == task::kMostWorkers);
  CHECK(taken.object.get() == &object);
  CHECK(taken.reply == 9);
  CHECK(taken.arguments[7] == 5);
  const WireAddress<std::uint32_t> far{1, 2};  // words that differ
  CHECK(WireAddress<std::uint32_t>::of(far.get()).low == 1);
  CHECK(far.number() == 0x2'0000'0001);
}

TEST_CASE("a lock is answered and given to workers as an entry is", "[gpu][ring]") {
  const LockCommand lock{{task::workers(1, 2) | task::kLock}, {4, 5}, 6, 7};
  auto task = command_as<EntryCommand>(to_command(lock));
  CHECK(task.object.number() == lock.object.number());
  CHECK(task.reply == 6);
  task.reply = 8;
  CHECK(command_as<LockCommand>(to_command(task)).reply == 8);
  CHECK(command_as<LockCommand>(to_command(task)).lock == 7);
}
