// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The settings of the variable KAON_TESTING, for tests and comparisons: "ucx_host=tag,payload_counter_bits=6".
/// Every build accepts them, so that an installed program can reproduce what a test has found.
struct TestingSettings {
  int payload_counter_bits = 32;        // payload_counter_bits=4 to 32: the width of the counter in payload tags
  bool stages_through_network = false;  // stage_through=network|memory: what staged payloads go through within a host
  bool sends_tagged = false;            // ucx_host=tag|am: UCX's messages that carry what lies in host memory
};

/// Throws UsageError for a setting that there is not, and for a value that makes no sense.
TestingSettings testing_settings();

}  // namespace kaon::runtime
