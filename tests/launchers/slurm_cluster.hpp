// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/launched_run.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing {

/// A cluster of Slurm whose daemons all run here, on the loopback interface, with a folder and a key of their own. Its
/// hosts are two by name; they share this machine. Programs find it by SLURM_CONF while it lives.
class SlurmCluster {
 public:
  SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  ~SlurmCluster();

 private:
  void start(const std::vector<std::string>& command);
  void write_settings() const;
  void wait_until_idle() const;
  [[nodiscard]] std::string settings_path() const { return folder_ + "/slurm.conf"; }

  std::string folder_;
  std::vector<std::unique_ptr<LaunchedRun>> daemons_;  // in the order of their start
  std::unique_ptr<Variable> settings_;
};

}  // namespace kaon::testing
