// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>
#include <set>
#include <string>

namespace kaon::ampi {

/// Picks the one rank of a run that prints a line which many ranks have reason to print. Processes of one host agree by
/// files in their shared folder; each host of a run over several prints the line once.
class OncePerRun {
 public:
  /// The folder that the processes of this host share; empty: this process is the run.
  explicit OncePerRun(std::string folder) : folder_(std::move(folder)) {}
  OncePerRun(const OncePerRun&) = delete;
  OncePerRun& operator=(const OncePerRun&) = delete;

  /// True for the first call with this name, which is part of a file's name. Any thread.
  bool is_first(const std::string& name);

 private:
  bool is_first_process(const std::string& name) const;

  const std::string folder_;
  std::mutex mutex_;  // of the names that this process has asked for
  std::set<std::string> asked_;
};

}  // namespace kaon::ampi
