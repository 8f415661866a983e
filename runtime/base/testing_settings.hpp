// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// What tests and comparisons set by KAON_TESTING of the environment, as in "ucx_host=tag,payload_counter_bits=6".
/// Every build understands it, so that what a test has found can be reproduced by an installed program.
struct TestingSettings {
  int payload_counter_bits = 32;        // payload_counter_bits=4 to 32: the width of the counter in payload tags
  bool stages_through_network = false;  // stage_through=network|memory: what staged payloads go through within a host
  bool tries_put_rings = false;         // put_rings=refuse|try: lists of puts on devices whose own kernel starts them
  bool sends_tagged = false;            // ucx_host=tag|am: UCX's messages that carry what lies in host memory
};

/// Throws UsageError for a setting that there is not, and for a value that makes no sense.
TestingSettings testing_settings();

}  // namespace kaon::runtime
