// SPDX-License-Identifier: Apache-2.0
#include "tests/launchers/slurm_cluster.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"

namespace kaon::testing {
namespace fs = std::filesystem;
namespace {

constexpr std::array kHosts{"kaon0", "kaon1"};

std::string make_folder() {
  std::string path = fs::temp_directory_path() / "kaon-slurm-XXXXXX";
  REQUIRE(mkdtemp(path.data()) != nullptr);
  return path;
}

std::string own_host_name() {
  std::array<char, 256> name{};
  REQUIRE(gethostname(name.data(), name.size() - 1) == 0);
  return std::string(name.data()).substr(0, std::string(name.data()).find('.'));
}

// Of munge, by which the daemons know each other.
void write_key(const std::string& path) {
  std::random_device random;
  std::ofstream key(path, std::ios::binary);
  for (int i = 0; i < 32; ++i) {
    const unsigned word = random();
    key.write(reinterpret_cast<const char*>(&word), sizeof word);
  }
  key.close();
  REQUIRE(chmod(path.c_str(), S_IRUSR) == 0);
}

}  // namespace

SlurmCluster::SlurmCluster() : folder_(make_folder()) {
  write_key(folder_ + "/key");
  fs::create_directory(folder_ + "/state");
  for (const char* host : kHosts) fs::create_directory(folder_ + "/tmp." + host);
  write_settings();
  settings_ = std::make_unique<Variable>("SLURM_CONF", settings_path().c_str());
  start({tool("munged"), "--foreground", "--force", "--socket=" + folder_ + "/munge", "--key-file=" + folder_ + "/key",
         "--pid-file=" + folder_ + "/munge.pid", "--log-file=" + folder_ + "/munge.log",
         "--seed-file=" + folder_ + "/munge.seed"});
  start({tool("slurmctld"), "-D", "-f", settings_path()});
  for (const char* host : kHosts) start({tool("slurmd"), "-D", "-N", host, "-f", settings_path()});
  wait_until_idle();
}

SlurmCluster::~SlurmCluster() {
  for (auto daemon = daemons_.rbegin(); daemon != daemons_.rend(); ++daemon) {
    (*daemon)->signal(SIGTERM);
    (*daemon)->finish();
  }
  fs::remove_all(folder_);
}

void SlurmCluster::start(const std::vector<std::string>& command) {
  daemons_.emplace_back(new LaunchedRun(LaunchedRun::of_program(command)));
}

void SlurmCluster::write_settings() const {
  const std::vector<int> ports = free_ports(1 + static_cast<int>(kHosts.size()));
  const std::string user = getpwuid(geteuid())->pw_name;
  std::ofstream settings(settings_path());
  settings << "ClusterName=kaon\nSlurmctldHost=" << own_host_name() << "(127.0.0.1)\nSlurmctldPort=" << ports[0]
           << "\nSlurmUser=" << user << "\nSlurmdUser=" << user
           << "\nAuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket=" << folder_ << "/munge"
           << "\nStateSaveLocation=" << folder_ << "/state\nSlurmdSpoolDir=" << folder_
           << "/spool.%n\nTmpFS=" << folder_ << "/tmp.%n\nSlurmctldPidFile=" << folder_
           << "/slurmctld.pid\nSlurmdPidFile=" << folder_ << "/slurmd.%n.pid\nSlurmctldLogFile=" << folder_
           << "/slurmctld.log\nSlurmdLogFile=" << folder_ << "/slurmd.%n.log\n"
           << "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\n"
              "SchedulerType=sched/builtin\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
              "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
              "MpiDefault=none\nReturnToService=2\nSlurmdParameters=config_overrides\nKillWait=5\n";
  for (std::size_t host = 0; host < kHosts.size(); ++host)
    settings << "NodeName=" << kHosts[host] << " NodeHostname=" << own_host_name()
             << " NodeAddr=127.0.0.1 Port=" << ports[host + 1] << " CPUs=8 RealMemory=1000 State=UNKNOWN\n";
  settings << "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE\n";
}

// Each question takes sinfo its time.
void SlurmCluster::wait_until_idle() const {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    const ProgramRun run = run_program({tool("sinfo"), "--noheader", "--format=%D %T"});
    if (run.text == "2 idle\n") return;
    INFO(run.text);
    REQUIRE(std::chrono::steady_clock::now() < until);
  }
}

}  // namespace kaon::testing
