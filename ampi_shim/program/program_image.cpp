// SPDX-License-Identifier: Apache-2.0
#undef _FORTIFY_SOURCE  // its longjmp refuses to leave a stack that the program made itself
#include "kaon/ampi_shim/program/program_image.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kaon/ampi_shim/program/forked_child.hpp"
#include "kaon/ampi_shim/program/loaded_image.hpp"
#include "kaon/ampi_shim/program/own_descriptors.hpp"
#include "kaon/ampi_shim/program/standard_streams.hpp"

namespace kaon::ampi {
namespace {

thread_local ProgramImage::Life maker_of_thread;

// Whose globals are constructed or destroyed, as long as it runs: images of a process share its libraries, and what
// these register then (classes of Boost's serialization, plugins) is made for one thread. Not a mutex: the thread of a
// rank switches it in and out, whatever stack has taken this.
constinit std::atomic_flag are_libraries_taken;

void wait_for_libraries() noexcept {
  while (are_libraries_taken.test_and_set(std::memory_order_acquire)) are_libraries_taken.wait(true);
}
void let_others_have_libraries() noexcept {
  are_libraries_taken.clear(std::memory_order_release);
  are_libraries_taken.notify_one();
}

}  // namespace

ProgramImage::ProgramImage(std::shared_ptr<LoadedImage> loaded, const ProgramHooks& hooks, void* owner,
                           bool shares_globals)
    : thread_locals_(loaded->make_thread_locals()),
      shares_globals_(shares_globals),
      loaded_(std::move(loaded)),
      hooks_(hooks),
      owner_(owner) {
  loaded_->count_rank();
}

ProgramImage::~ProgramImage() {
  if (current_ == this) current_ = nullptr;
  if (life_ != nullptr) life_->image.store(nullptr);
}

void ProgramImage::switch_in() noexcept {
  const RunningThread& thread = RunningThread::here();
  if (has_libraries_) [[unlikely]]
    wait_for_libraries();
  current_ = this;
  thread_ = &thread;
  *thread.error = errno_;
  thread_locals_.bring_in();
  if (switches_variables_) {
    libc_.environment.bring_in();
    libc_.options.bring_in();
  }
}

void ProgramImage::switch_out() noexcept {
  const RunningThread& thread = RunningThread::here();
  if (switches_variables_) {
    libc_.environment.take_out();
    libc_.options.take_out();
  }
  thread_locals_.take_out();
  errno_ = *thread.error;
  current_ = nullptr;
  if (has_libraries_) [[unlikely]]
    let_others_have_libraries();
}

ProgramImage::Maker::Maker(ProgramImage& rank) : image(&rank), thread_locals(rank.loaded_->make_thread_locals()) {}

ProgramImage::Life ProgramImage::calling_life() {
  if (current_ == nullptr) return maker_of_thread;
  Life& life = current_->life_;
  if (life == nullptr) life = std::make_shared<Maker>(*current_);
  return life;
}

void ProgramImage::enter_new_thread(Life maker) {
  maker->thread_locals.bring_in();
  maker_of_thread = std::move(maker);
}

ProgramImage* ProgramImage::calling() noexcept {
  if (current_ != nullptr) return current_;
  return maker_of_thread == nullptr ? nullptr : maker_of_thread->image.load();
}

StandardStreams& ProgramImage::streams() const { return loaded_->streams(); }

int ProgramImage::run_main(int argc, const char* const* argv, const char* const* envp) {
  OwnDescriptors::here();  // before the program can close any
  keep_arguments(argc, argv);
  start_variables(envp);
  std::jmp_buf exit_point;
  exit_point_ = &exit_point;
  switches_variables_ = shares_globals_;
  if (setjmp(exit_point) == 0) run();
  if (is_forked_child()) ::_exit(code_);
  exit_point_ = nullptr;
  switches_variables_ = false;
  return code_;
}

void ProgramImage::keep_arguments(int argc, const char* const* argv) {
  argument_strings_.assign(argv, argv + argc);
  for (auto& each : argument_strings_) arguments_.push_back(each.data());
  arguments_.push_back(nullptr);
}

void ProgramImage::start_variables(const char* const* envp) {
  using enum PrivateVariable;
  libc_.environment.start(envp, loaded_->find<char**>(environment));
  libc_.options.start({.argument = loaded_->find<char*>(option_argument),
                       .index = loaded_->find<int>(option_index),
                       .errors = loaded_->find<int>(option_errors),
                       .character = loaded_->find<int>(option_character)},
                      libc_.environment.get("POSIXLY_CORRECT") != nullptr);
  char* name = arguments_[0];
  if (name == nullptr) return;
  if (auto* full = loaded_->find<char*>(program_name)) *full = name;
  char* slash = std::strrchr(name, '/');
  if (auto* last = loaded_->find<char*>(program_short_name)) *last = slash == nullptr ? name : slash + 1;
}

// noexcept: an exception that nobody catches ends the process with its name, as the standard says, and does not pass
// through frames of ours.
void ProgramImage::run() noexcept {
  const int argc = static_cast<int>(arguments_.size()) - 1;
  const EntryPoint entry = loaded_->find_entry_point();
  construct(entry, argc);
  code_ = entry.main(argc, arguments_.data(), libc_.environment.array());
  finish();
}

void ProgramImage::construct(const EntryPoint& entry, int argc) {
  take_libraries();
  loaded_->construct(entry, argc, arguments_.data(), libc_.environment.array());
  leave_libraries();
}

void ProgramImage::take_libraries() {
  if (has_libraries_ || is_forked_child()) return;  // who had them as it was forked is not there
  wait_for_libraries();
  has_libraries_ = true;
}

void ProgramImage::leave_libraries() {
  if (std::exchange(has_libraries_, false)) let_others_have_libraries();
}

ExitHandlers& ProgramImage::exit_handlers() {
  return loaded_->is_constructing() ? loaded_->exit_handlers() : libc_.exit_handlers;
}

void ProgramImage::finish() {
  take_libraries();
  libc_.thread_local_destructors.run(code_);
  libc_.exit_handlers.run(code_);
  if (!std::exchange(has_ended_, true)) loaded_->count_end();
  loaded_->destruct(code_);
  leave_libraries();
  flush();
}

void ProgramImage::exit(int code) {
  code_ = code;
  if (runs_here()) finish();
  leave(code_);
}

void ProgramImage::leave(int code) {
  if (is_forked_child()) ::_exit(code);  // at once: a child of vfork() may not return from its caller
  if (hooks_.ends != nullptr) hooks_.ends(owner_, code);
  // A thread that the rank has made is no stack of ours: the process ends.
  if (exit_point_ == nullptr || !runs_here()) std::exit(code);
  code_ = code;
  leave_libraries();  // _exit() in a constructor
  std::longjmp(*exit_point_, 1);
}

void ProgramImage::flush() const { streams().flush(); }

void ProgramImage::abort() {
  flush();
  if (hooks_.abort != nullptr && !is_forked_child()) hooks_.abort(owner_);
  std::abort();
}

}  // namespace kaon::ampi
