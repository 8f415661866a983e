// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/outputs.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <string>

namespace kaon::launch {
namespace {

bool is_open(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0;
}

bool is_read_by_nobody(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && S_ISCHR(found.st_mode) && found.st_rdev == makedev(1, 3);  // /dev/null
}

bool are_same(int one, int other) {
  struct stat first {};
  struct stat second {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

std::unique_ptr<MergedOutput> merged(int descriptor, int processes, bool has_labels) {
  if (!is_open(descriptor) || is_read_by_nobody(descriptor)) return nullptr;
  return std::make_unique<MergedOutput>(descriptor, processes, has_labels);
}

}  // namespace

Outputs::Outputs(int processes, bool has_labels) {
  if (processes == 1 && !has_labels) return;
  are_one_ = are_same(STDOUT_FILENO, STDERR_FILENO);
  output_ = merged(STDOUT_FILENO, processes, has_labels);
  if (!are_one_) errors_ = merged(STDERR_FILENO, processes, has_labels);
}

ChildOutputs Outputs::open(int process) {
  ChildOutputs ends;
  if (output_) ends.output = output_->open(process);
  if (errors_) ends.errors = errors_->open(process);
  ends.are_one = are_one_ && output_;
  return ends;
}

void Outputs::add_to(std::vector<pollfd>& polled, bool takes_all) {
  if (output_) output_->add_to(polled, takes_all);
  if (errors_) errors_->add_to(polled, takes_all);
}

void Outputs::serve(const std::vector<pollfd>& polled, Time now) {
  if (output_) output_->serve(polled, now);
  if (errors_) errors_->serve(polled, now);
}

int Outputs::wait_ms(Time now, int most) const {
  if (output_) most = output_->wait_ms(now, most);
  if (errors_) most = errors_->wait_ms(now, most);
  return most;
}

void Outputs::drain(int process, Time now) {
  if (output_) output_->drain(process, now);
  if (errors_) errors_->drain(process, now);
}

void Outputs::drain_all(Time now) {
  if (output_) output_->drain_all(now);
  if (errors_) errors_->drain_all(now);
}

void Outputs::finish(Time now) {
  if (output_) output_->finish(now);
  if (errors_) errors_->finish(now);
}

bool Outputs::has_unwritten() const {
  const auto has_some = [](const auto& each) { return each && each->file().unwritten() > 0; };
  return has_some(output_) || has_some(errors_);
}

int Outputs::output_error() const { return output_ ? output_->file().error() : 0; }

void Outputs::say(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  if (MergedOutput* merged = errors(); merged != nullptr)
    merged->say(text);
  else if (write(STDERR_FILENO, text.data(), text.size()) < 0)
    return;  // nobody reads: nothing to be done
}

}  // namespace kaon::launch
