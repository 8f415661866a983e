// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

/// True in a process that a rank has made by fork() or vfork(). It has the one rank and the thread that called, and
/// nothing that serves other ranks or processes: it sleeps, writes and ends as any process does.
bool is_forked_child() noexcept;
/// The same without a system call, but not of a child of vfork(), which may do no more than start a program or end.
bool is_child_of_fork() noexcept;

}  // namespace kaon::ampi
