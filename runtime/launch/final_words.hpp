// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "kaon/runtime/ports/seat.hpp"

namespace kaon::launch {

// For the output of a process that ends: within the time that launchers grant to who is told to.
inline constexpr std::chrono::milliseconds kFlush{700};

// One line on standard error, written at once as a whole so that the words of several processes do not mix.
void say_as(const Seat& seat, std::string_view text);

// Waits until the reader of the pipes that standard output and error are has taken what is in them, for a moment: a
// launcher that is told to end a job may drop that.
void let_output_be_read();

// What all processes may find wrong, process 0 tells: the others wait, and are ended meanwhile. What is wrong with the
// use, the command line, say, all find indeed, but on a busy machine not at the same time.
void give_precedence(const Seat& seat, int code);

}  // namespace kaon::launch
